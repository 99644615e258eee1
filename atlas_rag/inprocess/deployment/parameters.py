"""Parameters of the server that can be read and set while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import numbers, type_name
from atlas_rag.inprocess.mql.values.types import is_number

_DEFAULTS: dict[str, Any] = {
    "enableTestCommands": True,  # `configureFailPoint` is there
    "ttlMonitorEnabled": True,
    "ttlMonitorSleepSecs": 60,
    "transactionLifetimeLimitSeconds": 60,
}
_LEAST = {"ttlMonitorSleepSecs": 1, "transactionLifetimeLimitSeconds": 1}
_ONLY_AT_START = frozenset({"enableTestCommands"})


@dataclass
class Parameters:
    """The values by name.

    Attributes:
        changed: called after each change.
        slow_ms: milliseconds from which on a command counts as slow (`profile`).
    """

    values: dict[str, Any] = field(default_factory=lambda: dict(_DEFAULTS))
    changed: Callable[[], None] = lambda: None
    slow_ms: int = 100

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def set(self, name: str, value: Any) -> Any:
        """Sets a parameter and returns the value that it had.

        Raises:
            CommandError: 72 for one that is unknown or fixed, 2 and 14 for a value that it cannot have.
        """
        if name not in self.values:
            text = f"attempted to set unrecognized parameter [{name}], use help:true to see options "
            raise CommandError(72, text)
        if name in _ONLY_AT_START:
            raise CommandError(20, f"not allowed to change [{name}] at runtime")
        was = self.values[name]
        self.values[name] = self._checked(name, value)
        self.changed()
        return was

    def _checked(self, name: str, value: Any) -> Any:
        if not (isinstance(value, bool) or is_number(value)):
            raise CommandError(14, f"Failed to set parameter {name}: it cannot be a {type_name(value)}")
        if isinstance(self.values[name], bool):
            return bool(value)
        whole = numbers.whole(value)
        if whole is None or whole < _LEAST[name]:
            text = (
                f"Invalid value for parameter {name}: {value} is not greater than or equal to {_LEAST[name]}"
            )
            raise CommandError(2, text)
        return whole
