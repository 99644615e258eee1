"""Tries many at once and finds the ones that fail, without losing the others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from atlas_rag.errors import Code, ServerError
from atlas_rag.wire import Flow

Value = TypeVar("Value")
FIRST_FAILURES, FAILURES = 5, 32
"""Failures in a row after which it is not the values that are at fault: before any success, and later."""

OF_THE_VALUE = frozenset({Code.REQUEST_REFUSED, Code.TOO_LARGE})
"""Server errors that may be due to one document of a command."""


class Isolation:
    """Knows over a whole run whether anything ever succeeded."""

    def __init__(self) -> None:
        self._succeeded = False
        self._in_a_row = 0

    def run(
        self, values: Sequence[Value], attempt: Callable[[Sequence[Value]], Flow[None]]
    ) -> Flow[list[tuple[Value, Exception]]]:
        """Attempts all values; where that fails, each half, down to those that fail alone.

        Returns:
            the values that failed alone, with their errors.

        Raises:
            what `attempt` raises where too many fail in a row, or where values cannot be the reason.
        """
        failed: list[tuple[Value, Exception]] = []
        parts = [values] if values else []
        while parts:
            part = parts.pop()
            try:
                yield from attempt(part)
                self._succeeded, self._in_a_row = True, 0
            except Exception as error:
                if not may_be_due_to_a_value(error):
                    raise
                if len(part) == 1:
                    self._count(error)
                    failed.append((part[0], error))
                else:
                    half = len(part) // 2
                    parts += [part[half:], part[:half]]
        return failed

    def _count(self, error: Exception) -> None:
        self._in_a_row += 1
        if self._in_a_row >= (FAILURES if self._succeeded else FIRST_FAILURES):
            raise error


def may_be_due_to_a_value(error: Exception) -> bool:
    """Whether fewer values could fare better."""
    return not isinstance(error, ServerError) or error.code in OF_THE_VALUE
