"""Retryable writes: a write that a driver sends again is answered again, and not done twice."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError

MOST_SESSIONS = 10_000
"""Sessions to remember; the one that wrote longest ago is forgotten first."""


class Sessions:
    """The last numbered write of each session, with its reply."""

    def __init__(self) -> None:
        self._last: OrderedDict[bytes, tuple[int, Mapping[str, Any]]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._last)

    def earlier_reply(self, command: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Returns the reply that this very write got before, None for a new one. Raises 225."""
        key = _key(command)
        if key is None or key not in self._last:
            return None
        number, reply = self._last[key]
        if command["txnNumber"] < number:
            raise CommandError(
                225,
                f"Retryable write with txnNumber {command['txnNumber']} is prohibited on session because a "
                f"newer retryable write with txnNumber {number} has already started on this session.",
            )
        return reply if command["txnNumber"] == number else None

    def remember(self, command: Mapping[str, Any], reply: Mapping[str, Any]) -> None:
        """Keeps the reply of a numbered write that was done."""
        key = _key(command)
        if key is None or not reply.get("ok"):
            return
        self._last[key] = (command["txnNumber"], reply)
        self._last.move_to_end(key)
        if len(self._last) > MOST_SESSIONS:
            self._last.popitem(last=False)

    def end(self, identifiers: Any) -> None:
        """Forgets sessions."""
        for session in identifiers if isinstance(identifiers, list) else ():
            if isinstance(session, Mapping) and isinstance(session.get("id"), bytes):
                self._last.pop(bytes(session["id"]), None)


def session_of(command: Mapping[str, Any]) -> bytes | None:
    """Returns the identifier of a command's session, None where it has none."""
    session = command.get("lsid")
    identifier = session.get("id") if isinstance(session, Mapping) else None
    return bytes(identifier) if isinstance(identifier, bytes) else None


def _key(command: Mapping[str, Any]) -> bytes | None:
    return session_of(command) if isinstance(command.get("txnNumber"), int) else None
