"""Figures: of the server, its databases and collections, and whether a collection is whole."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bson import Int64

from atlas_rag.inprocess.deployment.arguments import BOOL, INTEGER, Fields, collection_name
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.store.unique import Step, entries

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
Command = Mapping[str, Any]

_DATABASE = Fields("dbStats", {"scale": INTEGER, "freeStorage": INTEGER})
_COLLECTION = Fields("collStats", {"scale": INTEGER, "verbose": BOOL})
_VALIDATE = Fields(
    "validate",
    {
        "full": BOOL,
        "scandata": BOOL,
        "background": BOOL,
        "repair": BOOL,
        "metadata": BOOL,
        "checkBSONConformance": BOOL,
    },
)


def server_status(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `serverStatus`: what is counted here, and nothing else."""
    now = datetime.now(UTC)
    up = now - deployment.started
    major, minor = deployment.release.version
    counters = deployment.counters
    return {
        "host": socket.gethostname(),
        "version": f"{major}.{minor}.0",
        "process": "atlas-rag",
        "pid": Int64(os.getpid()),
        "uptime": up.total_seconds() // 1,
        "uptimeMillis": Int64(up.total_seconds() * 1000),
        "uptimeEstimate": Int64(up.total_seconds()),
        "localTime": now,
        "mem": _memory(),
        "opcounters": counters.by_kind(),
        "metrics": {
            "commands": counters.by_name(),
            "cursor": {"open": {"total": Int64(len(deployment.cursors))}},
            "ttl": {"deletedDocuments": Int64(counters.expired), "passes": Int64(counters.expiry_passes)},
        },
        "storageEngine": {"name": "atlas-rag", "persistent": deployment.is_persistent},
        "ok": 1.0,
    }


if sys.platform == "win32":

    def _memory() -> Document:
        return {"bits": 64, "supported": False}

else:
    import resource

    def _memory() -> Document:
        """Returns the most memory that this process has held, in MiB."""
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        resident = most >> (20 if sys.platform == "darwin" else 10)  # bytes there, kilobytes elsewhere
        return {"bits": 64, "resident": resident, "supported": True}


def database_statistics(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `dbStats`. Indexes are no files of their own: they take no space on the disk."""
    scale = _scale(_DATABASE.read(command))
    namespaces = deployment.databases.collections(database)
    objects = sum(len(namespace.rows) for namespace in namespaces)
    size = sum(namespace.size() for namespace in namespaces)
    disk = shutil.disk_usage(os.getcwd())
    return {
        "db": database,
        "collections": Int64(len(namespaces)),
        "views": Int64(len(deployment.databases.views(database))),
        "objects": Int64(objects),
        "avgObjSize": size / objects if objects else 0.0,
        "dataSize": size / scale,
        "storageSize": size / scale,
        "indexes": Int64(sum(len(namespace.indexes) for namespace in namespaces)),
        "indexSize": 0.0,
        "totalSize": size / scale,
        "scaleFactor": float(scale),
        "fsUsedSize": disk.used / scale,
        "fsTotalSize": disk.total / scale,
        "ok": 1.0,
    }


def collection_statistics(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `collStats`."""
    scale = _scale(_COLLECTION.read(command))
    name = collection_name(command, database)
    deployment.databases.refuse_view(database, name)
    namespace = deployment.existing(database, name)
    if namespace is not None:
        return {**namespace.figures(scale), "ok": 1.0}
    names = ("size", "count", "numOrphanDocs", "storageSize", "totalSize", "nindexes", "totalIndexSize")
    zeros = {"ns": f"{database}.{name}", **dict.fromkeys(names, 0)}
    return {**zeros, "indexDetails": {}, "indexSizes": {}, "scaleFactor": scale, "ok": 1.0}


def _scale(arguments: Mapping[str, Any]) -> int:
    scale = int(arguments.get("scale", 1))
    if scale < 1:
        raise CommandError(51024, f"BSON field 'scale' value must be >= 1, actual value '{scale}'")
    return scale


def validate(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `validate`: counts the keys of each index anew, and the documents that break the validator."""
    if _VALIDATE.read(command).get("repair"):
        raise CommandError(115, "validate: repair is not supported by the in-process engine")
    name = collection_name(command, database)
    if deployment.databases.view(database, name):
        raise CommandError(166, "Cannot validate a view")
    namespace = deployment.existing(database, name)
    if namespace is None:
        raise CommandError(26, f"Collection '{database}.{name}' does not exist to validate.")
    keys = {index: _number_of_keys(namespace, namespace.indexes[index]) for index in namespace.indexes}
    wrong = sum(not namespace.validator.conforms(document) for document in namespace.documents())
    lists = ("warnings", "errors", "extraIndexEntries", "missingIndexEntries", "corruptRecords")
    return {
        "ns": namespace.full_name,
        "nInvalidDocuments": Int64(0),
        "nNonCompliantDocuments": Int64(wrong),
        "nrecords": len(namespace.rows),
        "nIndexes": len(namespace.indexes),
        "keysPerIndex": keys,
        "indexDetails": {index: {"valid": True} for index in keys},
        "valid": True,
        "repaired": False,
        **{kind: [] for kind in lists},
        "ok": 1.0,
    }


def _number_of_keys(namespace: Namespace, index: Mapping[str, Any]) -> int:
    applies = compile_filter(index.get("partialFilterExpression", {}))
    paths = [path.split(".") for path in index["key"]]
    documents = filter(applies, namespace.documents())
    return sum(sum(1 for _ in entries([Step(document, path) for path in paths])) for document in documents)
