"""What is known of a text before a provider sees it: that it can be sent, and about how many tokens it has.

No tokenizer is asked: those of the providers would be downloaded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Value = TypeVar("Value")
LEAST_BYTES, MOST_BYTES = 3, 8
"""Bytes of UTF-8 in a token: hardly any language has fewer, hardly any text has more."""


def most_tokens(text: str) -> int:
    """A cautious estimate for filling requests, never zero."""
    return len(text.encode("utf-8", "replace")) // LEAST_BYTES + 1


def least_tokens(text: str) -> int:
    """A lenient estimate for refusing: a text with more of them than a limit is certainly too long."""
    return len(text.encode("utf-8", "replace")) // MOST_BYTES


def filled(
    values: Iterable[Value], size: Callable[[Value], int], items: int, most: int
) -> Iterator[list[Value]]:
    """The values in order, in lists of at most `items` and a total size of `most`; a larger one alone."""
    batch: list[Value] = []
    spent = 0
    for value in values:
        needed = size(value)
        if batch and (len(batch) == items or spent + needed > most):
            yield batch
            batch, spent = [], 0
        batch.append(value)
        spent += needed
    if batch:
        yield batch
