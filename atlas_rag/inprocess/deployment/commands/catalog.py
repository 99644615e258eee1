"""Databases and collections: made, listed, renamed and dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bson import Binary, Int64

from atlas_rag.inprocess.deployment.arguments import (
    BOOL,
    OBJECT,
    STRING,
    Fields,
    batch_size,
    collection_name,
)
from atlas_rag.inprocess.deployment.databases import View, check_name
from atlas_rag.inprocess.deployment.namespace import IDENTIFIER_INDEX, Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_LIST_COLLECTIONS = Fields(
    "listCollections", {"filter": OBJECT, "nameOnly": BOOL, "authorizedCollections": BOOL, "cursor": OBJECT}
)
_LIST_DATABASES = Fields("listDatabases", {"filter": OBJECT, "nameOnly": BOOL, "authorizedDatabases": BOOL})
_RENAME = Fields("renameCollection", {"to": STRING, "dropTarget": BOOL}, ("to",))
_NOTHING = Fields("drop", {})


def drop(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `drop`. A missing collection is an error before release 7.0 only."""
    _NOTHING.read(command)
    name = collection_name(command, database)
    if view := deployment.databases.view(database, name):
        deployment.databases.drop_view(view)
        return {"ns": f"{database}.{name}", "ok": 1.0}
    namespace = deployment.existing(database, name)
    if namespace is None:
        return {"ok": 1.0}
    count = len(namespace.indexes)
    deployment.databases.drop(database, name)
    return {"nIndexesWas": count, "ns": f"{database}.{name}", "ok": 1.0}


def drop_database(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `dropDatabase`."""
    _NOTHING.read(command)
    names = [namespace.name for namespace in deployment.databases.collections(database)]
    views = deployment.databases.views(database)
    for name in names:
        deployment.databases.drop(database, name)
    for view in views:
        deployment.databases.drop_view(view)
    return {"dropped": database, "ok": 1.0} if names or views else {"ok": 1.0}


def list_databases(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listDatabases`; sizes are those of the documents."""
    arguments = _LIST_DATABASES.read(command)
    if database != "admin":
        raise CommandError(13, "listDatabases may only be run against the admin database.")
    matches = compile_filter(arguments.get("filter", {}))
    if arguments.get("nameOnly"):  # measures nothing, and filters by name alone
        names = ({"name": name} for name in deployment.databases.names())
        return {"databases": [entry for entry in names if matches(entry)], "ok": 1.0}
    entries = [_database_entry(deployment, name) for name in deployment.databases.names()]
    entries = [entry for entry in entries if matches(entry)]
    total = sum(entry["sizeOnDisk"] for entry in entries)
    return {"databases": entries, "totalSize": Int64(total), "totalSizeMb": Int64(total >> 20), "ok": 1.0}


def _database_entry(deployment: Deployment, name: str) -> Document:
    namespaces = deployment.databases.collections(name)
    size = sum(namespace.size() for namespace in namespaces)
    return {"name": name, "sizeOnDisk": Int64(size), "empty": not any(len(n.rows) for n in namespaces)}


def list_collections(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listCollections`."""
    arguments = _LIST_COLLECTIONS.read(command)
    entries = [_entry(namespace) for namespace in deployment.databases.collections(database)]
    entries += [_view_entry(view) for view in deployment.databases.views(database)]
    matches = compile_filter(arguments.get("filter", {}))
    entries = [entry for entry in entries if matches(entry)]
    if arguments.get("nameOnly"):
        entries = [{"name": entry["name"], "type": entry["type"]} for entry in entries]
    size = batch_size(arguments)
    return deployment.cursors.reply(f"{database}.$cmd.listCollections", entries, batch_size=size)


def _entry(namespace: Namespace) -> Document:
    return {
        "name": namespace.name,
        "type": "collection",
        "options": dict(namespace.options),
        "info": {"readOnly": False, "uuid": Binary.from_uuid(namespace.uuid)},
        "idIndex": dict(IDENTIFIER_INDEX),
    }


def _view_entry(view: View) -> Document:
    return {"name": view.name, "type": "view", "options": view.options, "info": {"readOnly": True}}


def rename_collection(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `renameCollection`, also into another database."""
    arguments = _RENAME.read(command)
    if database != "admin":
        raise CommandError(13, "renameCollection may only be run against the admin database.")
    source, target = command["renameCollection"], arguments["to"]
    for given in (source, target):
        if not isinstance(given, str) or not all(_parts(given)):
            raise CommandError(73, f"Invalid namespace specified '{given}'")
    for given in (source, target):
        if deployment.databases.view(*_parts(given)):
            raise CommandError(166, f"cannot rename view: {given}")
    namespace = deployment.existing(*_parts(source))
    if namespace is None:
        raise CommandError(26, f"Source collection {source} does not exist")
    if source == target:
        raise CommandError(20, "Can't rename a collection to itself")
    check_name(*_parts(target))
    if deployment.existing(*_parts(target)) is not None:
        if not arguments.get("dropTarget"):
            raise CommandError(48, "target namespace exists")
        deployment.databases.drop(*_parts(target))
    deployment.databases.rename(namespace, *_parts(target))
    return {"ok": 1.0}


def _parts(namespace: str) -> tuple[str, str]:
    database, _, name = namespace.partition(".")
    return database, name
