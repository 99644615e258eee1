"""The values that a filter's dotted path leads to: arrays on the way, and at its end, are looked into.

A number in the path is a field name and a position at once. A sub-document without the field gives
`MISSING`; an array element that is no document gives nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from bson import DBRef

from atlas_rag.inprocess.mql.values import MISSING, Document

Test = Callable[[Any], bool]


class Place(Protocol):
    """What an operator is applied to: a field of a document, or one element of an array."""

    @property
    def path(self) -> str: ...

    def predicate(self, test: Test, *, look_into_leaf: bool = True) -> Callable[[Any], bool]:
        """Returns a predicate that is true if a value at this place passes the test."""
        ...


class Field(NamedTuple):
    """The values on a path; a predicate takes the document."""

    path: str

    def predicate(self, test: Test, *, look_into_leaf: bool = True) -> Callable[[Document], bool]:
        return path_predicate(self.path, test, look_into_leaf=look_into_leaf)


class Element(NamedTuple):
    """One array element as it stands; a predicate takes the element."""

    path: str = ""

    def predicate(self, test: Test, *, look_into_leaf: bool = True) -> Test:
        return test


def path_predicate(path: str, test: Test, *, look_into_leaf: bool = True) -> Callable[[Document], bool]:
    """Returns a predicate that is true if any value on the path passes the test.

    Args:
        look_into_leaf: an array at the end of the path also passes if one of its elements does.
    """
    if "." in path:
        return _dotted_predicate(path.split("."), test, look_into_leaf)
    if not look_into_leaf:
        return lambda document: test(document.get(path, MISSING))

    def check(document: Document) -> bool:
        value = document.get(path, MISSING)
        if value.__class__ is list:
            return any(map(test, value)) or test(value)
        return test(value)

    return check


def _dotted_predicate(parts: list[str], test: Test, look_into_leaf: bool) -> Callable[[Document], bool]:
    def check(document: Document) -> bool:
        value: Any = document
        for name in parts:
            if value.__class__ is dict:
                value = value.get(name, MISSING)
            elif value.__class__ is list:
                return any(map(test, values_on(document, parts, look_into_leaf)))
            elif value.__class__ is DBRef:
                value = value.as_doc().get(name, MISSING)
            else:
                value = MISSING
                break
        if look_into_leaf and value.__class__ is list:
            return any(map(test, value)) or test(value)
        return test(value)

    return check


def values_on(document: Document | DBRef, parts: list[str], look_into_leaf: bool) -> Iterator[Any]:
    """Yields every value that the path reaches from a document, array elements before their array."""
    value: Any = document
    for position, name in enumerate(parts):
        if isinstance(value, dict):
            value = value.get(name, MISSING)
        elif isinstance(value, list):
            yield from _values_in_array(_numbered(value), parts[position:], look_into_leaf)
            return
        elif isinstance(value, DBRef):
            value = value.as_doc().get(name, MISSING)
        else:
            value = MISSING
            break
    if look_into_leaf and isinstance(value, list):
        yield from value
    yield value


def _numbered(items: list[Any]) -> Iterator[tuple[str, Any]]:
    return ((str(position), item) for position, item in enumerate(items))


def _values_in_array(
    items: Iterable[tuple[str, Any]], parts: list[str], look_into_leaf: bool
) -> Iterator[Any]:
    """Goes on from an array, or from a sub-document in one whose position was named by the path.

    A value named by position is the end as it stands: the server does not look into it.
    """
    head, rest = parts[0], parts[1:]
    for name, item in items:
        if isinstance(item, (dict, DBRef)):
            yield from values_on(item, parts, look_into_leaf)
        if name != head:
            continue
        if not rest:
            yield item
        elif isinstance(item, (dict, DBRef)):
            yield from values_on(item, rest, look_into_leaf)
        elif isinstance(item, list):
            yield from _values_in_array(_numbered(item), rest, look_into_leaf)


def as_document(value: Any) -> dict[str, Any] | None:
    """Returns a sub-document, or an array as a document with its positions as names; else None."""
    if isinstance(value, dict):
        return value
    return dict(_numbered(value)) if isinstance(value, list) else None
