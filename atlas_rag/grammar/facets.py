"""The collector `facet`: buckets of what an operator finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final

from atlas_rag.grammar.kit import (
    Document,
    Int32,
    ListOf,
    MapOf,
    Node,
    Tagged,
    Text,
    field,
    is_document,
    is_number,
    required,
    within,
)
from atlas_rag.grammar.literals import kind_of
from atlas_rag.grammar.operators.nesting import NESTED
from atlas_rag.grammar.operators.range_ import compare
from atlas_rag.grammar.paths import PLAIN_PATH
from atlas_rag.grammar.problem import At, Found, problem

MIN_BOUNDARIES, MAX_BOUNDARIES = 2, 1000


class _Boundary:
    """A bound of a bucket."""

    def __init__(self, fits: Callable[[Any], bool], words: str) -> None:
        self._fits, self._complaint = fits, f"must be a {words}"

    def check(self, value: Any, at: At, found: Found) -> None:
        if not self._fits(value):
            found.append(problem(at, self._complaint, "type"))


class _Boundaries(ListOf):
    """2 to 1,000 bounds, each above the one before."""

    def __init__(self, item: Node, words: str) -> None:
        super().__init__(item)
        self._words = words

    def check_items(self, value: list[Any], at: At, found: Found) -> None:
        before = len(found)
        super().check_items(value, at, found)
        if not MIN_BOUNDARIES <= len(value) <= MAX_BOUNDARIES:
            text = f"size must be within bounds: [{MIN_BOUNDARIES}..{MAX_BOUNDARIES}]"
            found.append(problem(at, text, "bounds"))
        elif len(found) == before and not _ascending(value):
            text = f"must be distinct {self._words} in ascending order"
            found.append(problem(at, text, "order"))


def _ascending(values: list[Any]) -> bool:
    orders = (compare(low, high) for low, high in pairwise(values))
    return all(order is not None and order < 0 for order in orders)


_PATH: Final = required("path", PLAIN_PATH)
_DEFAULT: Final = field("default", Text(empty=False))
_NUMBERS: Final = _Boundaries(_Boundary(is_number, "int32, int64, or double"), "numbers")
_DATES: Final = _Boundaries(_Boundary(lambda value: kind_of(value) == "DATE", "date time"), "dates")

FACETS: Final = MapOf(
    Tagged(
        "type",
        {
            "date": Document(_PATH, required("boundaries", _DATES), _DEFAULT),
            "number": Document(_PATH, required("boundaries", _NUMBERS), _DEFAULT),
            "string": Document(_PATH, field("numBuckets", Int32(within(1, 1000)))),
        },
    ),
    empty=False,
)


class _FacetOperator:
    """Any nested operator; the vector one is refused by its own words."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if is_document(value) and value.get("vectorSearch") is not None:
            text = "Facets are not supported with the 'vectorSearch' operator."
            found.append(problem(at, text, "nesting"))
        else:
            NESTED.check(value, at, found)


FACET: Final = Document(field("operator", _FacetOperator()), required("facets", FACETS))
