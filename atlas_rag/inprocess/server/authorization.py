"""Which user may run which command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.deployment.commands import COMMANDS
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.server.authentication import User

Command = Mapping[str, Any]

# Open to everyone: what a driver needs to find out that it has to authenticate.
OPEN = frozenset(
    {
        *("hello", "isMaster", "ismaster", "ping", "buildInfo", "buildinfo", "connectionStatus"),
        *("saslStart", "saslContinue", "logout", "endSessions"),
    }
)
# Open to every user, on whatever database.
_ANY_USER = frozenset({"listDatabases", "hostInfo", "startSession", "refreshSessions"})
_WHOLE_DEPLOYMENT = frozenset(
    {
        *("configureFailPoint", "getParameter", "setParameter", "getCmdLineOpts", "getLog", "profile"),
        *("serverStatus", "currentOp", "killOp"),
    }
)


def check(user: User | None, database: str, command: Command) -> None:
    """Refuses a command that the user may not run; the text holds nothing of its content. Raises 13."""
    name = next(iter(command))
    if name in OPEN:
        return
    if user is None:
        raise CommandError(13, f"command {name} requires authentication")
    if name in _ANY_USER:
        return
    wanted = [("*", True)] if name in _WHOLE_DEPLOYMENT else list(_needs(database, command))
    for target, write in wanted:
        if not user.may(target, write=write):
            raise CommandError(13, f"not authorized on {target} to execute command {name}")


def _needs(database: str, command: Command) -> Iterator[tuple[str, bool]]:
    """Yields (database, whether to write it)."""
    name = next(iter(command))
    entry = COMMANDS.get(name)
    yield database, entry is not None and entry.writes
    inner = command.get("explain")
    pipeline = (inner if isinstance(inner, Mapping) else command).get("pipeline")
    for stage in pipeline if isinstance(pipeline, list) else ():
        if isinstance(stage, Mapping):
            yield from _stage_needs(database, stage)


def _stage_needs(database: str, stage: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    for name, argument in stage.items():
        if name in ("$out", "$merge"):
            target = argument.get("into", argument) if isinstance(argument, Mapping) else None
            other = target.get("db") if isinstance(target, Mapping) else None
            yield other if isinstance(other, str) else database, True
        elif name in ("$lookup", "$unionWith") and isinstance(argument, Mapping):
            source = argument.get("from", argument.get("coll"))
            if isinstance(source, Mapping) and isinstance(source.get("db"), str):
                yield source["db"], False


def visible(user: User | None, reply: dict[str, Any]) -> dict[str, Any]:
    """Returns the reply to `listDatabases` with what the user may read."""
    if user is None or "databases" not in reply:
        return reply
    seen = [entry for entry in reply["databases"] if user.may(entry["name"], write=False)]
    return {**reply, "databases": seen}
