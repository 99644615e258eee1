"""Faults on order: the next commands of some name fail, wait, or lose their connection.

The order is the command `configureFailPoint` with the fail point `failCommand`, as servers started for tests
take it, so that what is written for those works here.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.rendering import render

Document = dict[str, Any]

_KNOWN = {"failCommands", "errorCode", "errorLabels", "closeConnection", "blockConnection", "blockTimeMS"}
_NEVER = {"configureFailPoint", "hello", "isMaster", "ismaster", "ping", "endSessions"}


class ConnectionLost(Exception):  # noqa: N818 - it says what happens to the caller
    """The connection is to be closed instead of an answer."""


class InjectedError(CommandError):
    """A failure on order, with its labels in `details`."""

    def __init__(self, code: int, labels: list[str]) -> None:
        super().__init__(code, "Failing command via 'failCommand' failpoint")
        self.details = {"errorLabels": labels} if labels else {}


@dataclass
class Faults:
    """The one fail point of a deployment.

    Args:
        sleep: waits a number of seconds.
    """

    sleep: Callable[[float], None] = time.sleep
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)
    _left: float = 0
    _skip: int = 0
    _data: Mapping[str, Any] = field(default_factory=dict)

    def configure(self, command: Mapping[str, Any]) -> None:
        """Takes an order.

        Raises:
            CommandError: 2 or 9, it names something that is not offered.
        """
        if command["configureFailPoint"] != "failCommand":
            raise CommandError(2, f"{command['configureFailPoint']} is not a fail point of this engine")
        data = command.get("data", {})
        if not isinstance(data, Mapping) or not isinstance(data.get("failCommands", []), list):
            raise CommandError(14, "the data of a fail point must be an object, its failCommands an array")
        for option in data:
            if option not in _KNOWN:
                raise CommandError(
                    9, f"failCommand option {option} is not supported by the in-process engine"
                )
        self._left, self._skip = _read_mode(command.get("mode"))
        self._data = data

    def strike(self, name: str) -> None:
        """Does to a command what was ordered; mostly nothing.

        Raises:
            InjectedError, ConnectionLost: as ordered.
        """
        data = self._data
        if not self._left or name in _NEVER or name not in data.get("failCommands", (name,)):
            return
        with self._lock:  # of several commands at once only so many are struck
            if self._skip or not self._left:
                self._skip = max(self._skip - 1, 0)
                return
            self._left -= 1
        if data.get("blockConnection"):
            self.sleep(data.get("blockTimeMS", 0) / 1000)
        if data.get("closeConnection"):
            raise ConnectionLost("the connection was closed on order")
        if "errorCode" in data:
            raise InjectedError(data["errorCode"], list(data.get("errorLabels", ())))


def _read_mode(mode: Any) -> tuple[float, int]:
    """Returns how many commands are struck, and how many are spared before. Raises 9."""
    if mode == "off":
        return 0, 0
    if mode == "alwaysOn":
        return inf, 0
    if isinstance(mode, Mapping) and len(mode) == 1:
        ((name, number),) = mode.items()
        if isinstance(number, int) and not isinstance(number, bool) and number >= 0:
            if name == "times":
                return number, 0
            if name == "skip":
                return inf, number
    raise CommandError(9, f"unknown mode of a fail point: {render(mode)}")
