"""`typeSets`: named sets of types that `dynamic` can refer to."""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.definitions.fields import FIELD_TYPE
from atlas_rag.grammar.geometry import constant_name
from atlas_rag.grammar.kit import Document, ListOf, Text, distinct, required
from atlas_rag.grammar.problem import At, Found, problem

DISALLOWED: Final = (
    "autoEmbedVector",
    "dateFacet",
    "document",
    "embeddedDocuments",
    "knnVector",
    "numberFacet",
    "sortableDateBetaV1",
    "sortableNumberBetaV1",
    "sortableStringBetaV1",
    "stringFacet",
    "vector",
)
"""Types that cannot be dynamic."""

_distinct_types = distinct("type")


def _dynamic_types(types: list[Any], at: At, found: Found) -> None:
    before = len(found)
    _distinct_types(types, at, found)
    if len(found) == before and any(one["type"] in DISALLOWED for one in types):
        names = ", ".join(map(constant_name, DISALLOWED))
        text = f"The following field type definitions are disallowed in a typeSet definition: [{names}]"
        found.append(problem(at, text, "nesting"))


TYPE_SETS: Final = ListOf(
    Document(
        required("name", Text(blank=False)),
        required("types", ListOf(FIELD_TYPE, empty=False, rule=_dynamic_types)),
    ),
    empty=False,
    rule=distinct("name"),
)
