"""What is loaded: a text to embed, the document it belongs to, and an id that follows from the input."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bson import json_util

from atlas_rag.errors import CallError


@dataclass(frozen=True, slots=True)
class Item:
    """One document to be.

    Args:
        id: its `_id`.
        text: what is embedded.
        document: its other fields; an `_id` among them gives way to `id`.
    """

    id: Any
    text: str = field(repr=False)
    document: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class BadItem:
    """A piece of input that is no item, and why."""

    problem: str
    id: Any = None


@dataclass(frozen=True, slots=True)
class Source:
    """Input that can be read again from the start.

    Args:
        open: begins to read.
    """

    open: Callable[[], Iterator[Item | BadItem]] = field(repr=False)

    def __iter__(self) -> Iterator[Item | BadItem]:
        return self.open()


def read_jsonl(path: Path, *, text: str = "text", id: str | None = "_id") -> Source:  # noqa: A002
    """One item for each line of a file of JSON objects (Extended JSON is understood); empty lines are none.

    Args:
        text: field whose string is embedded.
        id: field that holds the id; None derives it from the content: a changed document is a new one.

    Raises:
        CallError: INVALID_OPTION once it is read, the file cannot be.
    """
    return Source(lambda: _lines(path, text, id))


def read_items(
    documents: Iterable[Mapping[str, Any]],
    *,
    text: str = "text",
    id: str | None = "_id",  # noqa: A002
) -> Source:
    """One item for each document. Arguments: see `read_jsonl`."""
    return Source(lambda: (_item(document, text, id) for document in documents))


def _lines(path: Path, text: str, id: str | None) -> Iterator[Item | BadItem]:  # noqa: A002
    try:
        with path.open("rb") as lines:
            for line in lines:
                if line.strip():
                    yield _parse(line, text, id)
    except OSError as error:
        raise CallError(
            f"{path.name} cannot be read ({error.strerror})", expected="a file of JSON lines"
        ) from error


def _parse(line: bytes, text: str, id: str | None) -> Item | BadItem:  # noqa: A002
    try:
        document = json_util.loads(line.decode("utf-8"))
    except (ValueError, TypeError) as error:
        return BadItem(f"is not JSON ({type(error).__name__})")
    return _item(document, text, id)


def _item(document: Any, text: str, id: str | None) -> Item | BadItem:  # noqa: A002
    if not isinstance(document, Mapping):
        return BadItem(f"is a {type(document).__name__}, not an object")
    if id is not None and document.get(id) is None:
        return BadItem(f"has no {id!r}")
    key = derived_id(document) if id is None else document[id]
    words = document.get(text)
    if not isinstance(words, str) or not words.strip():
        return BadItem(f"has no text in {text!r}", key)
    return Item(key, words, {name: value for name, value in document.items() if name != "_id"})


def derived_id(document: Mapping[str, Any]) -> str:
    """Formula: first 24 hex digits of SHA-256 of the canonical Extended JSON."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()[:24]


def canonical(value: Any) -> str:
    """Extended JSON with sorted keys: equal values have equal text."""
    return json_util.dumps(value, sort_keys=True, json_options=json_util.CANONICAL_JSON_OPTIONS)
