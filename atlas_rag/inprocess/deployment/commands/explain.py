"""`explain`: a server's plan with figures counted here; search stages as a server with search shows them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import collection_name
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.deployment.queries.plans import Scan, plan
from atlas_rag.inprocess.errors import CommandError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_SEARCH = ("$search", "$searchBeta", "$searchMeta", "$vectorSearch")
_TOPS = {"count": "COUNT", "update": "UPDATE", "delete": "DELETE"}
_AS_FIND = ("sort", "skip", "limit", "projection", "hint", "collation", "let")


def explain(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `explain`. Raises 59 for a command that cannot be explained."""
    inner = command["explain"]
    if not isinstance(inner, Mapping) or not inner:
        raise CommandError(14, "the command field of explain must be a document")
    verbosity = command.get("verbosity", "allPlansExecution")
    if verbosity not in ("queryPlanner", "executionStats", "allPlansExecution"):
        text = "verbosity string must be one of {'queryPlanner', 'executionStats', 'allPlansExecution'}"
        raise CommandError(9, text)
    name = next(iter(inner))
    if name == "aggregate":
        target = None if inner["aggregate"] == 1 else collection_name(inner, database)
        return explain_aggregate(deployment, database, target, inner, executes=verbosity != "queryPlanner")
    find = _as_find(inner)
    if find is None:
        raise CommandError(59, f"Explain failed due to unknown command: {name}")
    target = collection_name(inner, database)
    top = _TOPS.get(name, "")
    if name == "findAndModify":
        top = "DELETE" if inner.get("remove") else "UPDATE"
    planned = _planned(deployment, database, target, find, top, executes=verbosity != "queryPlanner")
    return _reply(database, inner, planned)


def _as_find(command: Mapping[str, Any]) -> Document | None:
    """Returns the `find` for the documents of a command, None for one that has none."""
    name = next(iter(command))
    options = {option: command[option] for option in _AS_FIND if option in command}
    if name == "find":
        return {"filter": command.get("filter", {}), **options}
    if name in ("count", "distinct", "findAndModify"):
        return {"filter": command.get("query", {}), **options}
    statements = command.get({"update": "updates", "delete": "deletes"}.get(name, ""))
    if not isinstance(statements, list) or len(statements) != 1 or not isinstance(statements[0], Mapping):
        return None
    statement = statements[0]
    single = statement.get("limit") == 1 or (name == "update" and not statement.get("multi"))
    options = {option: statement[option] for option in ("hint", "sort") if option in statement}
    return {"filter": statement.get("q", {}), **options, **({"limit": 1} if single else {})}


def explain_aggregate(
    deployment: Deployment,
    database: str,
    name: str | None,
    command: Mapping[str, Any],
    *,
    executes: bool = False,
) -> Document:
    """Returns the explanation of an aggregation, which must compile. Raises 7828001 and `CommandError`."""
    pipeline = command.get("pipeline")
    if not isinstance(pipeline, list):
        raise CommandError(14, "'pipeline' option must be specified as an array")
    execution.compile_only(deployment, database, name, command)
    first = next(iter(pipeline[0]), "") if pipeline else ""
    if first in _SEARCH:
        return _explain_search(deployment, database, name, command, first)
    find: Document = {"filter": pipeline[0]["$match"] if first == "$match" else {}}
    if "hint" in command:
        find["hint"] = command["hint"]
    planned = _planned(deployment, database, name or "", find, "", executes=executes)
    rest = pipeline[1:] if first == "$match" else pipeline
    if not rest:
        return _reply(database, command, planned)
    return _reply(database, command, {"stages": [{"$cursor": planned}, *rest]})


def _explain_search(
    deployment: Deployment, database: str, name: str | None, command: Mapping[str, Any], first: str
) -> Document:
    if deployment.existing(database, name or "") is None and first == "$vectorSearch":
        raise CommandError(7828001, f"collection {database}.{name} does not exist")
    pipeline = command["pipeline"]
    stages = [_search_stage(first, pipeline[0][first])]
    if first != "$searchMeta":
        stages.append({"$_internalSearchIdLookup": {}})
    return _reply(database, command, {"stages": stages + pipeline[1:]})


def _search_stage(name: str, body: Mapping[str, Any]) -> Document:
    if name == "$vectorSearch":
        shown = {key: "redacted" if key == "queryVector" else value for key, value in body.items()}
        return {"$vectorSearch": shown}
    remote = {"mongotQuery": dict(body), "explain": {"type": next(iter(body), "")}}
    return {"$_internalSearchMongotRemote": remote}


def _planned(
    deployment: Deployment, database: str, name: str, find: Document, top: str, *, executes: bool
) -> Document:
    """Returns `queryPlanner`, and `executionStats` where the query is to be run."""
    if view := deployment.databases.view(database, name):
        name = view.source
    namespace = deployment.existing(database, name)
    execution.check_hint(namespace, find.get("hint"))
    execution.compile_only(deployment, database, name, {"pipeline": [{"$match": find["filter"]}]})
    scan = plan(namespace, find["filter"], find.get("sort") or {}, find.get("hint"))
    planner = {
        "namespace": f"{database}.{name}",
        "parsedQuery": find["filter"],
        "winningPlan": _tree(scan, find, top),
        "rejectedPlans": [],
    }
    if not executes:
        return {"queryPlanner": planner}
    begun = time.monotonic()
    returned = len(execution.find(deployment, database, name, find))
    keys, documents = scan.examined(namespace)
    stats = {
        "executionSuccess": True,
        "nReturned": 0 if top else returned,
        "executionTimeMillis": int((time.monotonic() - begun) * 1000),
        "totalKeysExamined": keys,
        "totalDocsExamined": documents,
        "executionStages": _counted(_tree(scan, find, top), returned, keys, documents),
    }
    return {"queryPlanner": planner, "executionStats": stats}


def _tree(scan: Scan, find: Mapping[str, Any], top: str) -> Document:
    """Returns the stages of a plan, the last one outermost."""
    tree = scan.tree()
    if find.get("sort") and not scan.sorted:
        tree = {"stage": "SORT", "sortPattern": dict(find["sort"]), "inputStage": tree}
    if find.get("skip"):
        tree = {"stage": "SKIP", "skipAmount": find["skip"], "inputStage": tree}
    if find.get("limit"):
        tree = {"stage": "LIMIT", "limitAmount": abs(find["limit"]), "inputStage": tree}
    if find.get("projection"):
        tree = {"stage": "PROJECTION_SIMPLE", "transformBy": find["projection"], "inputStage": tree}
    return {"stage": top, "inputStage": tree} if top else tree


def _counted(tree: Document, returned: int, keys: int, documents: int) -> Document:
    """Returns a plan with what its stages that read have looked at, and what all of it returned."""
    counted = dict(tree)
    if "inputStage" in tree:
        counted["inputStage"] = _counted(tree["inputStage"], returned, keys, documents)
    stage = tree["stage"]
    if stage in ("IXSCAN", "IDHACK"):
        counted["keysExamined"] = keys
    if stage in ("FETCH", "COLLSCAN", "IDHACK"):
        counted["docsExamined"] = documents
    if stage in ("UPDATE", "DELETE"):
        counted["nMatched" if stage == "UPDATE" else "nWouldDelete"] = returned
    elif stage != "IXSCAN":
        counted["nReturned"] = returned
    return counted


def _reply(database: str, command: Mapping[str, Any], planned: Mapping[str, Any]) -> Document:
    return {"explainVersion": "1", **planned, "command": {**command, "$db": database}, "ok": 1.0}
