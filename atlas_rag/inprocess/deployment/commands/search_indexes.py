"""Search indexes: created, updated and dropped with the server's codes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from bson import ObjectId

from atlas_rag.grammar import (
    create_problems,
    search_index_problems,
    vector_index_problems,
    with_model_defaults,
)
from atlas_rag.inprocess.deployment.arguments import (
    ARRAY,
    OBJECT,
    STRING,
    Fields,
    batch_size,
    collection_name,
)
from atlas_rag.inprocess.deployment.indexes.lifecycle import Build, SearchIndex, fill, same_definition
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.interruption import watched_rows
from atlas_rag.inprocess.models import Models

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

KINDS = ("search", "vectorSearch")

_CREATE = Fields("createSearchIndexes", {"indexes": ARRAY}, ("indexes",))
_ENTRY = Fields(
    "createSearchIndexes.indexes",
    {"name": STRING, "type": STRING, "definition": OBJECT},
    ("definition",),
    command=False,
)
_UPDATE = Fields("updateSearchIndex", {"name": STRING, "id": STRING, "definition": OBJECT}, ("definition",))
_LIST = Fields("listSearchIndexes", {"name": STRING, "id": STRING, "cursor": OBJECT})
_DROP = Fields("dropSearchIndex", {"name": STRING, "id": STRING})


def create_search_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `createSearchIndexes`: all of the indexes, or none where one is refused."""
    entries = [_ENTRY.read(entry) for entry in _CREATE.read(command)["indexes"]]
    namespace = _namespace(deployment, database, command)
    planned = [_planned(deployment, namespace, entry) for entry in entries]
    for index in planned:
        if namespace.search.get(index.name) is not index:
            namespace.set_search_index(index)
    created = [{"id": index.identifier, "name": index.name} for index in planned]
    return {"indexesCreated": created, "ok": 1.0}


def _planned(deployment: Deployment, namespace: Namespace, entry: Mapping[str, Any]) -> SearchIndex:
    """Returns the index that an entry asks for: the existing one where it is the same."""
    name, kind, definition = entry.get("name", "default"), entry.get("type", "search"), entry["definition"]
    if kind not in KINDS:
        raise CommandError(125, f'"type" must be one of [{", ".join(KINDS)}]')
    if not name:
        raise CommandError(125, '"name" cannot be empty')
    if "type" not in entry and "fields" in definition and "mappings" not in definition:
        text = 'Attribute mappings missing. An index whose definition has "fields" needs type: "vectorSearch"'
        raise CommandError(125, text)
    _check_definition(kind, definition, deployment.models)
    existing = namespace.search.get(name)
    if existing is not None:
        if existing.kind == kind and same_definition(kind, existing.latest.definition, definition):
            return existing
        raise CommandError(
            68, f"Index {name} already exists with a different definition. Drop it first if needed."
        )
    build = _build(deployment, namespace, kind, definition, version=0)
    return SearchIndex(str(ObjectId()), name, kind, build, deployment.readiness)


def update_search_index(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `updateSearchIndex`."""
    arguments = _UPDATE.read(command)
    namespace = _namespace(deployment, database, command)
    index = _named(namespace, arguments)
    definition = arguments["definition"]
    other = "fields" if index.kind == "search" else "mappings"
    if other in definition and ("mappings" if other == "fields" else "fields") not in definition:
        raise CommandError(197, "An index's type cannot be changed")
    _check_definition(index.kind, definition, deployment.models)
    if index.latest.definition != definition:
        version = index.latest.version + 1
        index.update(_build(deployment, namespace, index.kind, definition, version=version))
        namespace.set_search_index(index)
    return {"ok": 1.0}


def drop_search_index(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `dropSearchIndex`."""
    arguments = _DROP.read(command)
    namespace = _namespace(deployment, database, command)
    namespace.drop_search_index(_named(namespace, arguments).name)
    return {"ok": 1.0}


def list_search_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listSearchIndexes`: all of a collection, or the one of a name or an identifier."""
    arguments = _LIST.read(command)
    if "name" in arguments and "id" in arguments:
        raise CommandError(72, "at most one of 'name' and 'id' may be given")
    namespace = _namespace(deployment, database, command)
    wanted = {key: arguments[key] for key in ("name", "id") if key in arguments}
    found = [
        entry
        for entry in namespace.search_indexes()
        if all(entry[key] == value for key, value in wanted.items())
    ]
    return deployment.cursors.reply(namespace.full_name, found, batch_size=batch_size(arguments))


def _namespace(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Namespace:
    name = collection_name(command, database)
    namespace = deployment.existing(database, name)
    if namespace is None:
        raise CommandError(26, f"Collection '{database}.{name}' does not exist.")
    return namespace


def _named(namespace: Namespace, arguments: Mapping[str, Any]) -> SearchIndex:
    if ("name" in arguments) == ("id" in arguments):
        raise CommandError(72, "exactly one of 'name' and 'id' must be given")
    if "name" in arguments:
        found = namespace.search.get(arguments["name"])
    else:
        found = next((i for i in namespace.search.values() if i.identifier == arguments["id"]), None)
    if found is None:
        wanted = arguments.get("name") or arguments.get("id")
        raise CommandError(27, f"Index {wanted} not found.")
    return found


def _check_definition(kind: str, definition: Mapping[str, Any], models: Models) -> None:
    """Raises 125 for what the parser refuses, or the steps of creation behind it."""
    if kind == "vectorSearch":
        definition = with_model_defaults(definition, models.embedders)
    problems = search_index_problems if kind == "search" else vector_index_problems
    for problem in problems(definition):
        raise CommandError(125, problem)
    for refused in create_problems(definition, vector=kind == "vectorSearch"):
        raise CommandError(125, refused.message)


def _build(
    deployment: Deployment,
    namespace: Namespace,
    kind: str,
    definition: Mapping[str, Any],
    *,
    version: int,
) -> Build:
    """Analyses all documents. Raises 125 where the engine cannot serve the definition."""
    try:
        with namespace.upkeep.settled():  # what waits to be put into indexes is in the rows already
            rows = list(namespace.rows)
        index = fill(deployment.open_index(namespace, kind, definition), watched_rows(rows))
    except EngineRefusal as refusal:
        raise CommandError(125, refusal.text) from refusal
    now = datetime.now(timezone.utc).replace(tzinfo=None, microsecond=0)  # noqa: UP017
    return Build(definition, version, now, deployment.readiness.clock(), index)
