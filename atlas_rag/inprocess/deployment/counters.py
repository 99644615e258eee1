"""How many commands of which kind have been run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from bson import Int64

_KINDS = {
    "insert": "insert",
    "find": "query",
    "update": "update",
    "findAndModify": "update",
    "delete": "delete",
    "getMore": "getmore",
}
_STATEMENTS = {"insert": "documents", "update": "updates", "delete": "deletes"}


class Counters:
    """Counts since the deployment was opened."""

    def __init__(self) -> None:
        self._commands: Counter[str] = Counter()
        self._operations: Counter[str] = Counter()
        self.expired = 0
        self.expiry_passes = 0

    def count(self, name: str, command: Mapping[str, Any]) -> None:
        """A command is run; writes count by statement."""
        statements = command.get(_STATEMENTS.get(name, ""))
        self._operations[_KINDS.get(name, "command")] += (
            len(statements) if isinstance(statements, list) else 1
        )
        self._commands[name] += 1

    def by_kind(self) -> dict[str, Int64]:
        """Returns `opcounters`: reads and writes by kind, all other commands together."""
        return {kind: Int64(self._operations[kind]) for kind in (*dict.fromkeys(_KINDS.values()), "command")}

    def by_name(self) -> dict[str, dict[str, Int64]]:
        """Returns how often each command was run."""
        return {name: {"total": Int64(number)} for name, number in sorted(self._commands.items())}
