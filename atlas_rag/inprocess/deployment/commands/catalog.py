"""Databases, collections and their ordinary indexes: made, listed and dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bson import Binary

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    ARRAY,
    BOOL,
    OBJECT,
    Fields,
    batch_size,
    collection_name,
)
from atlas_rag.inprocess.deployment.indexes.specification import (
    read_specification,
    same_index,
)
from atlas_rag.inprocess.deployment.namespace import IDENTIFIER_INDEX, Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.values import equal, type_name
from atlas_rag.inprocess.rendering import render

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_CREATE = Fields("create", {"collation": OBJECT, "idIndex": OBJECT, "capped": BOOL})
_CREATE_INDEXES = Fields("createIndexes", {"indexes": ARRAY, "commitQuorum": ANY}, ("indexes",))
_DROP_INDEXES = Fields("dropIndexes", {"index": ANY}, ("index",))
_LIST_COLLECTIONS = Fields(
    "listCollections", {"filter": OBJECT, "nameOnly": BOOL, "authorizedCollections": BOOL, "cursor": OBJECT}
)
_LIST_DATABASES = Fields("listDatabases", {"filter": OBJECT, "nameOnly": BOOL, "authorizedDatabases": BOOL})
_LIST_INDEXES = Fields("listIndexes", {"cursor": OBJECT, "includeBuildUUIDs": BOOL})
_NOTHING = Fields("drop", {})


def create(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `create`: plain collections only."""
    for option in ("viewOn", "timeseries", "validator", "clusteredIndex", "encryptedFields"):
        if option in command:
            raise CommandError(115, f"create: {option} is not supported by the in-process engine")
    if _CREATE.read(command).get("capped"):
        raise CommandError(115, "create: capped is not supported by the in-process engine")
    name = collection_name(command, database)
    if deployment.existing(database, name):
        raise CommandError(48, f"Collection {database}.{name} already exists.")
    deployment.collection(database, name)
    return {"ok": 1.0}


def drop(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `drop`. A missing collection is an error before release 7.0 only."""
    _NOTHING.read(command)
    name = collection_name(command, database)
    namespace = deployment.existing(database, name)
    if namespace is None:
        return {"ok": 1.0}
    count = len(namespace.indexes)
    deployment.drop(database, name)
    return {"nIndexesWas": count, "ns": f"{database}.{name}", "ok": 1.0}


def drop_database(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `dropDatabase`."""
    _NOTHING.read(command)
    names = [namespace.name for namespace in deployment.collections(database)]
    for name in names:
        deployment.drop(database, name)
    return {"dropped": database, "ok": 1.0} if names else {"ok": 1.0}


def list_databases(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listDatabases`; sizes are not kept, so all are reported as 0."""
    arguments = _LIST_DATABASES.read(command)
    if database != "admin":
        raise CommandError(13, "listDatabases may only be run against the admin database.")
    entries = [
        {"name": name, "sizeOnDisk": 0, "empty": not any(map(len, _rows(deployment, name)))}
        for name in deployment.database_names()
    ]
    matches = compile_filter(arguments.get("filter", {}))
    entries = [entry for entry in entries if matches(entry)]
    if arguments.get("nameOnly"):
        return {"databases": [{"name": entry["name"]} for entry in entries], "ok": 1.0}
    return {"databases": entries, "totalSize": 0, "totalSizeMb": 0, "ok": 1.0}


def _rows(deployment: Deployment, database: str) -> list[Any]:
    return [namespace.rows for namespace in deployment.collections(database)]


def list_collections(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listCollections`."""
    arguments = _LIST_COLLECTIONS.read(command)
    entries = [_entry(namespace) for namespace in deployment.collections(database)]
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
        "options": {},
        "info": {"readOnly": False, "uuid": Binary.from_uuid(namespace.uuid)},
        "idIndex": dict(IDENTIFIER_INDEX),
    }


def create_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `createIndexes`: unique ones are enforced, all are kept and listed; none is needed."""
    given = _CREATE_INDEXES.read(command)["indexes"]
    if not given:
        raise CommandError(2, "Must specify at least one index to create")
    specifications = [read_specification(part) for part in given]
    name = collection_name(command, database)
    fresh = deployment.existing(database, name) is None
    namespace = deployment.collection(database, name)
    before = len(namespace.indexes)
    for specification in specifications:
        if not same_index(namespace.indexes, specification):
            namespace.add_index(specification)
    after = len(namespace.indexes)
    note = {"note": "all indexes already exist"} if after == before else {}
    return {
        "numIndexesBefore": before,
        "numIndexesAfter": after,
        "createdCollectionAutomatically": fresh,
        "commitQuorum": "votingMembers",
        **note,
        "ok": 1.0,
    }


def list_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `listIndexes`."""
    arguments = _LIST_INDEXES.read(command)
    namespace = _existing(deployment, database, command, "ns does not exist: {}")
    size = batch_size(arguments)
    return deployment.cursors.reply(
        namespace.full_name, list(map(dict, namespace.indexes.values())), batch_size=size
    )


def drop_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `dropIndexes`."""
    wanted = _DROP_INDEXES.read(command)["index"]
    namespace = _existing(deployment, database, command, "ns not found {}")
    before = len(namespace.indexes)
    if wanted == "*":
        for name in [name for name in namespace.indexes if name != "_id_"]:
            namespace.drop_index(name)
        text = "non-_id indexes dropped for collection"
        return {"nIndexesWas": before, "msg": text, "ok": 1.0}
    for name in [_index_name(namespace, part) for part in (wanted if isinstance(wanted, list) else [wanted])]:
        namespace.drop_index(name)
    return {"nIndexesWas": before, "ok": 1.0}


def _index_name(namespace: Namespace, wanted: Any) -> str:
    if isinstance(wanted, Mapping):
        names = [
            name
            for name, specification in namespace.indexes.items()
            if equal(dict(specification["key"]), dict(wanted))
        ]
        if not names:
            raise CommandError(27, f"can't find index with key: {render(wanted)}")
        wanted = names[0]
    if not isinstance(wanted, str):
        raise CommandError(
            14,
            f"BSON field 'dropIndexes.index' is the wrong type '{type_name(wanted)}', expected types "
            "'[string, object']",
        )
    if wanted not in namespace.indexes:
        raise CommandError(27, f"index not found with name [{wanted}]")
    if wanted == "_id_":
        raise CommandError(72, "cannot drop _id index")
    return wanted


def _existing(deployment: Deployment, database: str, command: Mapping[str, Any], text: str) -> Namespace:
    name = collection_name(command, database)
    namespace = deployment.existing(database, name)
    if namespace is None:
        raise CommandError(26, text.format(f"{database}.{name}"))
    return namespace
