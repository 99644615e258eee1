"""Ordinary indexes: made, listed, dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import (
    ANY,
    ARRAY,
    BOOL,
    OBJECT,
    Fields,
    batch_size,
    collection_name,
)
from atlas_rag.inprocess.deployment.indexes.specification import read_specification, same_index
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import equal, type_name
from atlas_rag.inprocess.rendering import render

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_CREATE_INDEXES = Fields(
    "createIndexes", {"indexes": ARRAY, "commitQuorum": ANY, "ignoreUnknownIndexOptions": BOOL}, ("indexes",)
)
_DROP_INDEXES = Fields("dropIndexes", {"index": ANY}, ("index",))
_LIST_INDEXES = Fields("listIndexes", {"cursor": OBJECT, "includeBuildUUIDs": BOOL})


def create_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `createIndexes`: unique ones are enforced, all are kept and listed; none is needed."""
    arguments = _CREATE_INDEXES.read(command)
    if not arguments["indexes"]:
        raise CommandError(2, "Must specify at least one index to create")
    lenient = bool(arguments.get("ignoreUnknownIndexOptions"))
    specifications = [read_specification(part, lenient=lenient) for part in arguments["indexes"]]
    name = collection_name(command, database)
    fresh = deployment.existing(database, name) is None
    namespace = deployment.collection(database, name)
    before = len(namespace.indexes)
    for specification in specifications:
        if not same_index(namespace.indexes, specification):
            namespace.add_index(specification)
            if "expireAfterSeconds" in specification:
                deployment.expiry.begin()
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
    namespace = existing_collection(deployment, database, command, "ns does not exist: {}")
    size = batch_size(arguments)
    return deployment.cursors.reply(
        namespace.full_name, list(map(dict, namespace.indexes.values())), batch_size=size
    )


def drop_indexes(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `dropIndexes`."""
    wanted = _DROP_INDEXES.read(command)["index"]
    namespace = existing_collection(deployment, database, command, "ns not found {}")
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


def existing_collection(
    deployment: Deployment, database: str, command: Mapping[str, Any], text: str
) -> Namespace:
    """Returns the collection that a command names. Raises 26 with the text given."""
    name = collection_name(command, database)
    deployment.databases.refuse_view(database, name)
    namespace = deployment.existing(database, name)
    if namespace is None:
        raise CommandError(26, text.format(f"{database}.{name}"))
    return namespace
