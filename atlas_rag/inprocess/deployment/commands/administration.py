"""How the server runs: its parameters, the line that started it, its log, its profiler."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.arguments import ANY, INTEGER, Fields
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import numbers

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
Command = Mapping[str, Any]

_PROFILE = Fields("profile", {"slowms": INTEGER, "sampleRate": ANY, "filter": ANY})


def _only_on_admin(database: str, name: str) -> None:
    if database != "admin":
        raise CommandError(13, f"{name} may only be run against the admin database.")


def get_parameter(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `getParameter`; of unknown parameters a server says no more."""
    _only_on_admin(database, "getParameter")
    version = {"featureCompatibilityVersion": {"version": str(deployment.release)}}
    values = {**version, **deployment.parameters.values}
    wanted = list(values) if command.get("getParameter") == "*" else [n for n in command if n in values]
    if not wanted:
        raise CommandError(72, "no option found to get")
    return {name: values[name] for name in wanted} | {"ok": 1.0}


def set_parameter(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `setParameter`; see `Parameters`."""
    _only_on_admin(database, "setParameter")
    given = {name: value for name, value in list(command.items())[1:] if not _is_generic(name)}
    if not given:
        raise CommandError(72, "no option found to set, use help:true to see options ")
    was = [deployment.parameters.set(name, value) for name, value in given.items()]
    return {"was": was[-1], "ok": 1.0}


def _is_generic(name: str) -> bool:
    return name.startswith("$") or name in ("lsid", "comment", "writeConcern", "maxTimeMS", "apiVersion")


def command_line_options(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `getCmdLineOpts`: how this process was started, and which fixed parameters hold."""
    _only_on_admin(database, "getCmdLineOpts")
    parsed = {"setParameter": {"enableTestCommands": "1"}}
    return {"argv": list(sys.argv), "parsed": parsed, "ok": 1.0}


def profile(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `profile`, to read and set from when on a command is slow; commands are never profiled.

    Raises:
        CommandError: 115 for levels 1 and 2.
    """
    arguments = _PROFILE.read(command)
    level = numbers.whole(command["profile"])
    if level in (1, 2):
        text = "is not supported by the in-process engine; `atlas-rag serve --log` tells of slow commands"
        raise CommandError(115, f"profile: level {level} {text}")
    if level not in (-1, 0):
        raise CommandError(9, "Bad profile level: expected -1, 0, 1 or 2")
    for option in ("sampleRate", "filter"):
        if option in arguments:
            raise CommandError(115, f"profile: {option} is not supported by the in-process engine")
    was = deployment.parameters.slow_ms
    if "slowms" in arguments:
        deployment.parameters.slow_ms = arguments["slowms"]
    return {"was": 0, "slowms": was, "sampleRate": 1.0, "ok": 1.0}


def get_log(deployment: Deployment, database: str, command: Command) -> Document:
    """Runs `getLog`. Nothing is kept in memory; `atlas-rag serve --log` writes to a file."""
    _only_on_admin(database, "getLog")
    wanted = command["getLog"]
    if wanted == "*":
        return {"names": ["global", "startupWarnings"], "ok": 1.0}
    if wanted not in ("global", "startupWarnings"):
        raise CommandError(96, f"No log named '{wanted}'", "OperationFailed")
    return {"totalLinesWritten": 0, "log": [], "ok": 1.0}
