"""What stands for the question, its keywords and its vector in a stage or operator that is written once.

Placeholders are plain values: they print, compare, pickle, pass every check of a text or a vector, and have a
form for TOML and JSON, `{"$question": 1}`. `filled` puts the question in their place.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from bson.binary import Binary

from atlas_rag.stages.vector import FLOAT32, SUBTYPE, Vector


class TextPlaceholder(str):
    """Stands for a text of the question. Equal by name."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self.name.upper()

    @property
    def name(self) -> str:
        """question or keywords."""
        return self[1:]

    def __reduce__(self) -> tuple[Callable[[str], TextPlaceholder], tuple[str]]:
        return TextPlaceholder, (str(self),)

    def __str__(self) -> str:
        return self[:]


class VectorPlaceholder(Vector):
    """Stands for the query vector."""

    name = "vector"

    def __new__(cls) -> VectorPlaceholder:
        return Binary.__new__(cls, FLOAT32 + bytes(4), SUBTYPE)

    def __repr__(self) -> str:
        return "VECTOR"

    __str__ = __repr__

    def __reduce__(self) -> tuple[type[VectorPlaceholder], tuple[()]]:
        return VectorPlaceholder, ()


QUESTION = TextPlaceholder("$question")
"""The text of the question."""
KEYWORDS = TextPlaceholder("$keywords")
"""What a keyword search looks for: the keywords given, else the question."""
VECTOR = VectorPlaceholder()
"""The query vector."""

BY_FORM: Mapping[str, Any] = {"$question": QUESTION, "$keywords": KEYWORDS, "$vector": VECTOR}
"""Placeholders by the key of their plain form."""


def is_placeholder(value: Any) -> bool:
    """Whether a value stands for something of the question."""
    return isinstance(value, (TextPlaceholder, VectorPlaceholder))


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A document with each placeholder replaced by what a function makes of it."""
    if is_placeholder(value):
        return change(value)
    if isinstance(value, Mapping):
        return {key: mapped(item, change) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [mapped(item, change) for item in value]
    return value


def filled(value: Any, *, text: str, keywords: str, vector: Any) -> Any:
    """A document with the question in place of its placeholders."""
    given = {"question": text, "keywords": keywords, "vector": vector}
    return mapped(value, lambda one: given[one.name])


def names_in(value: Any) -> frozenset[str]:
    """Names of the placeholders in a document: question, keywords, vector."""
    found: set[str] = set()

    def note(one: Any) -> Any:
        found.add(one.name)
        return one

    mapped(value, note)
    return frozenset(found)


def to_form(value: Any) -> Any:
    """A document as TOML and JSON hold it: `{"$question": 1}` for a placeholder."""
    return mapped(value, lambda one: {f"${one.name}": 1})


def from_form(value: Any) -> Any:
    """Reads what `to_form` writes."""
    if isinstance(value, Mapping):
        if len(value) == 1 and next(iter(value)) in BY_FORM:
            return BY_FORM[next(iter(value))]
        return {key: from_form(item) for key, item in value.items()}
    return [from_form(item) for item in value] if isinstance(value, (list, tuple)) else value
