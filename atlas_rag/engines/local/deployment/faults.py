"""Faults on order: the next commands of some name fail, wait, or lose their connection.

The order is the command `configureFailPoint` with the fail point `failCommand`, as servers started for tests
take it, so that what is written for those works here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.engines.local.refusals import CommandError

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
    _left: float = 0
    _skip: int = 0
    _data: Mapping[str, Any] | None = None

    def configure(self, command: Mapping[str, Any]) -> None:
        """Takes an order.

        Raises:
            CommandError: 2 or 9, it names something that is not offered.
        """
        if command["configureFailPoint"] != "failCommand":
            raise CommandError(2, f"{command['configureFailPoint']} is not a fail point of this engine")
        mode, data = command.get("mode"), command.get("data", {})
        for option in data:
            if option not in _KNOWN:
                raise CommandError(
                    9, f"failCommand option {option} is not supported by the in-process engine"
                )
        self._skip = 0
        if mode == "off":
            self._left = 0
        elif mode == "alwaysOn":
            self._left = float("inf")
        elif isinstance(mode, Mapping) and "times" in mode:
            self._left = mode["times"]
        elif isinstance(mode, Mapping) and "skip" in mode:
            self._left, self._skip = float("inf"), mode["skip"]
        else:
            raise CommandError(9, f"unknown mode {mode!r} of a fail point")
        self._data = data

    def strike(self, name: str) -> None:
        """Does to a command what was ordered; mostly nothing.

        Raises:
            InjectedError, ConnectionLost: as ordered.
        """
        if not self._left or self._data is None or name in _NEVER:
            return
        if name not in self._data.get("failCommands", (name,)):
            return
        if self._skip:
            self._skip -= 1
            return
        self._left -= 1
        if self._data.get("blockConnection"):
            self.sleep(self._data.get("blockTimeMS", 0) / 1000)
        if self._data.get("closeConnection"):
            raise ConnectionLost("the connection was closed on order")
        if "errorCode" in self._data:
            raise InjectedError(self._data["errorCode"], list(self._data.get("errorLabels", ())))
