"""Two batchers that know nothing of each other: what an embedder takes at once, and what a server takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Generic, TypeVar

from atlas_rag.errors import CallError

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one request, each 1 or more.

    Args:
        embed_items, embed_tokens: texts and estimated tokens of one call of the embedder.
        write_items, write_bytes: documents and BSON bytes of one write; a command can have 16 MB.
    """

    embed_items: int = 128
    embed_tokens: int = 50_000
    write_items: int = 1_000
    write_bytes: int = 12 * 1024 * 1024

    def __post_init__(self) -> None:
        for name in ("embed_items", "embed_tokens", "write_items", "write_bytes"):
            if getattr(self, name) < 1:
                raise CallError(f"{name} is {getattr(self, name)}", expected="1 or more")
        if self.write_bytes > 15 * 1024 * 1024:
            raise CallError(f"write_bytes is {self.write_bytes}", expected="at most 15 MB")


class Batch(Generic[Value]):
    """Values up to a count and a size; one that is too large by itself travels alone."""

    def __init__(self, most: int, largest: int) -> None:
        self._most, self._largest = most, largest
        self.values: list[Value] = []
        self._size = 0

    def takes(self, size: int) -> bool:
        """Whether one of this size still fits."""
        fits = len(self.values) < self._most and self._size + size <= self._largest
        return fits or not self.values

    def add(self, value: Value, size: int) -> None:
        """Takes one in."""
        self.values.append(value)
        self._size += size

    def empty(self) -> list[Value]:
        """Hands over what is in it and starts again."""
        values, self.values, self._size = self.values, [], 0
        return values


def in_batches(
    values: Iterable[Value], size: Callable[[Value], int], most: int, largest: int
) -> Iterator[list[Value]]:
    """The values in order, in batches of at most `most` values and a total size of `largest`."""
    batch: Batch[Value] = Batch(most, largest)
    for value in values:
        if not batch.takes(size(value)):
            yield batch.empty()
        batch.add(value, size(value))
    if batch.values:
        yield batch.empty()
