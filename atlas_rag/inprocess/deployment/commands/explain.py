"""`explain`: the shape of a server's answer, search stages as a server with search shows them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import collection_name
from atlas_rag.inprocess.deployment.queries import execution
from atlas_rag.inprocess.errors import CommandError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_SEARCH = ("$search", "$searchBeta", "$searchMeta", "$vectorSearch")
_PLANNED = ("find", "count", "distinct", "delete", "update", "findAndModify")


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
        return explain_aggregate(deployment, database, target, inner)
    if name not in _PLANNED:
        raise CommandError(59, f"Explain failed due to unknown command: {name}")
    return _reply(database, inner, _plan(f"{database}.{collection_name(inner, database)}", inner))


def explain_aggregate(
    deployment: Deployment, database: str, name: str | None, command: Mapping[str, Any]
) -> Document:
    """Returns the explanation of an aggregation, which must compile. Raises 7828001 and `CommandError`."""
    pipeline = command.get("pipeline")
    if not isinstance(pipeline, list):
        raise CommandError(14, "'pipeline' option must be specified as an array")
    execution.compile_only(deployment, database, name, command)
    first = next(iter(pipeline[0]), "") if pipeline else ""
    if first not in _SEARCH:
        return _reply(database, command, _plan(f"{database}.{name}", {"filter": {}}))
    if deployment.existing(database, name or "") is None and first == "$vectorSearch":
        raise CommandError(7828001, f"collection {database}.{name} does not exist")
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


def _plan(namespace: str, query: Mapping[str, Any]) -> Document:
    condition = query.get("filter", query.get("query", {}))
    return {
        "queryPlanner": {
            "namespace": namespace,
            "parsedQuery": condition,
            "winningPlan": {"stage": "COLLSCAN", "filter": condition, "direction": "forward"},
            "rejectedPlans": [],
        }
    }


def _reply(database: str, command: Mapping[str, Any], plan: Mapping[str, Any]) -> Document:
    return {"explainVersion": "1", **plan, "command": {**command, "$db": database}, "ok": 1.0}
