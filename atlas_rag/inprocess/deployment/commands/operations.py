"""`currentOp` and `killOp`: the commands at work, seen and ended by others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from bson import Int64

from atlas_rag.inprocess.deployment.arguments import GENERIC
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import Operation
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.values import type_name

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]

_SHOWN = ("filter", "pipeline", "query", "sort", "limit", "key", "q", "u", "cursor")
_OWN = frozenset({"currentOp", "$all", "$ownOps"})


def current_op(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `currentOp`: other fields of the command are a filter on what is shown."""
    _check_admin(database, "currentOp")
    matches = compile_filter({k: v for k, v in command.items() if k not in _OWN and k not in GENERIC})
    shown = [_shown(number, operation) for number, operation in deployment.operations.under_way()]
    return {"inprog": [entry for entry in shown if matches(entry)], "ok": 1.0}


def _shown(number: int, operation: Operation) -> Document:
    target = operation.command.get(operation.name)
    name = target if isinstance(target, str) else "$cmd"
    kept = {key: value for key, value in operation.command.items() if key in _SHOWN}
    return {
        "type": "op",
        "active": True,
        "opid": number,
        "client": operation.client,
        "secs_running": Int64(operation.running_for),
        "microsecs_running": Int64(operation.running_for * 1_000_000),
        "op": "command",
        "ns": f"{operation.database}.{name}",
        "command": {operation.name: target, **kept, "$db": operation.database},
        **({"effectiveUsers": [{"user": operation.user, "db": "admin"}]} if operation.user else {}),
        **({"killPending": True} if operation.is_interrupted else {}),
    }


def kill_op(deployment: Deployment, database: str, command: Mapping[str, Any]) -> Document:
    """Runs `killOp`; an operation that is not there is no error, as on a server."""
    _check_admin(database, "killOp")
    if "op" not in command:
        raise CommandError(4, 'Did not provide "op" field')
    number = command["op"]
    if not isinstance(number, (int, float)) or isinstance(number, bool):
        raise CommandError(14, f'Expected field "op" to have numeric type, but found {type_name(number)}')
    deployment.operations.kill(int(number))
    return {"info": "attempting to kill op", "ok": 1.0}


def _check_admin(database: str, name: str) -> None:
    if database != "admin":
        raise CommandError(13, f"{name} may only be run against the admin database.")
