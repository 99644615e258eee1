"""Commands about the server itself: what it is, whether it is there, who is asking."""

from __future__ import annotations

import os
import platform
import socket
from collections.abc import Mapping
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import LARGEST_WRITE_BATCH
from atlas_rag.inprocess.errors import CommandError

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
Command = Mapping[str, Any]

LARGEST_DOCUMENT = 16 * 1024 * 1024
LARGEST_MESSAGE = 48_000_000


def _now() -> datetime:
    return datetime.now(timezone.utc)  # noqa: UP017


def hello(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `hello` and its old name `isMaster`: a standalone server with sessions."""
    legacy = next(iter(command)).lower() != "hello"
    return {
        "helloOk": True,
        "ismaster" if legacy else "isWritablePrimary": True,
        "maxBsonObjectSize": LARGEST_DOCUMENT,
        "maxMessageSizeBytes": LARGEST_MESSAGE,
        "maxWriteBatchSize": LARGEST_WRITE_BATCH,
        "localTime": _now(),
        "logicalSessionTimeoutMinutes": 30,
        "minWireVersion": 0,
        "maxWireVersion": deployment.release.wire_version,
        "readOnly": False,
        "ok": 1.0,
    }


def ping(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `ping`, and whatever else needs no more than a yes."""
    return {"ok": 1.0}


def build_info(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `buildInfo`. The modules are those of an Atlas deployment."""
    major, minor = deployment.release.version
    return {
        "version": f"{major}.{minor}.0",
        "versionArray": [major, minor, 0, 0],
        "gitVersion": "in-process engine of atlas-rag",
        "modules": ["enterprise"],
        "bits": 64,
        "debug": False,
        "maxBsonObjectSize": LARGEST_DOCUMENT,
        "storageEngines": ["atlas-rag"],
        "ok": 1.0,
    }


def host_info(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `hostInfo`."""
    return {
        "system": {
            "currentTime": _now(),
            "hostname": socket.gethostname(),
            "cpuAddrSize": 64,
            "numCores": os.cpu_count() or 1,
            "cpuArch": platform.machine(),
            "numaEnabled": False,
        },
        "os": {"type": platform.system(), "name": platform.platform(), "version": platform.release()},
        "extra": {},
        "ok": 1.0,
    }


def connection_status(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `connectionStatus` of a connection without user; a server with users answers itself."""
    return {"authInfo": {"authenticatedUsers": [], "authenticatedUserRoles": []}, "ok": 1.0}


def configure_fail_point(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `configureFailPoint`; see `Faults`."""
    if database != "admin":
        raise CommandError(13, "configureFailPoint may only be run against the admin database.")
    deployment.faults.configure(command)
    return {"ok": 1.0}


def end_sessions(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `endSessions`: open transactions of the sessions end with them."""
    given = command["endSessions"]
    sessions = [part for part in given if isinstance(part, Mapping)] if isinstance(given, list) else []
    deployment.end_sessions(part["id"] for part in sessions if isinstance(part.get("id"), bytes))
    return {"ok": 1.0}


def commit_transaction(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `commitTransaction`."""
    _check_end(database, command)
    deployment.transactions.commit(command)
    return {"ok": 1.0}


def abort_transaction(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `abortTransaction`."""
    _check_end(database, command)
    deployment.transactions.abort(command)
    return {"ok": 1.0}


def _check_end(database: str, command: Command) -> None:
    name = next(iter(command))
    if database != "admin":
        raise CommandError(13, f"{name} may only be run against the admin database.")
    if "autocommit" not in command:
        text = "txnNumber may only be provided for multi-document transactions and retryable write commands. "
        text += f"autocommit:false was not provided, and {name} is not a retryable write command."
        raise CommandError(50768, text, "NotARetryableWriteCommand")
