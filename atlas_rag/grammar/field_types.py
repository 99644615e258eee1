"""The field types of a search index: which values each keeps, and what of them it can tell apart.

One table. Kinds of values are named as filters name them: string, number, date, bool, objectId, uuid.

Source: MongoDB documentation, field types; what `dynamic: true` takes was measured on the engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FieldType:
    """One field type.

    Args:
        kind: the values that it takes; None for documents, shapes and vectors.
        whole: it keeps values whole, so that `equals`, `in` and `range` can compare them.
        dynamic: `dynamic: true` gives it to every field.
        sortable: `sort` takes it.
        facet: which facet counts it: string, number or date.
        options: keys that a definition of this type may hold beside `type`.
        deprecated: old definitions hold it; it is not offered any more.
    """

    name: str
    kind: str | None = None
    whole: bool = False
    dynamic: bool = False
    sortable: bool = False
    facet: str | None = None
    options: frozenset[str] = frozenset()
    deprecated: bool = False


_NUMBER: Final = frozenset({"representation", "indexIntegers", "indexDoubles"})
_STRING: Final = frozenset(
    {
        *("analyzer", "searchAnalyzer", "indexOptions", "store", "norms", "ignoreAbove", "multi"),
        "similarity",
    }
)
_GRAMS: Final = frozenset(
    {"minGrams", "maxGrams", "tokenization", "foldDiacritics", "analyzer", "similarity"}
)
_VECTOR: Final = frozenset(
    {"numDimensions", "similarity", "quantization", "indexingMethod", "hnswOptions", "engine"}
)
_DOCUMENT: Final = frozenset({"dynamic", "fields"})

FIELD_TYPES: Final = {
    one.name: one
    for one in (
        FieldType("autoEmbedVector", options=frozenset({"model", "modality", "sourceField"})),
        FieldType("autocomplete", "string", options=_GRAMS),
        FieldType("boolean", "bool", whole=True, dynamic=True, sortable=True),
        FieldType("date", "date", whole=True, dynamic=True, sortable=True, facet="date"),
        FieldType("dateFacet", "date", facet="date", deprecated=True),
        FieldType("document", options=_DOCUMENT),
        FieldType("embeddedDocuments", options=_DOCUMENT | {"storedSource"}),
        FieldType("geo", options=frozenset({"indexShapes"})),
        FieldType("knnVector", options=frozenset({"dimensions", "similarity"}), deprecated=True),
        FieldType(
            "number",
            "number",
            whole=True,
            dynamic=True,
            sortable=True,
            facet="number",
            options=_NUMBER,
        ),
        FieldType("numberFacet", "number", facet="number", options=_NUMBER, deprecated=True),
        FieldType("objectId", "objectId", whole=True, dynamic=True, sortable=True),
        FieldType("sortableDateBetaV1", "date", sortable=True, deprecated=True),
        FieldType("sortableNumberBetaV1", "number", sortable=True, deprecated=True),
        FieldType("sortableStringBetaV1", "string", sortable=True, deprecated=True),
        FieldType("string", "string", dynamic=True, options=_STRING),
        FieldType("stringFacet", "string", facet="string", deprecated=True),
        FieldType(
            "token",
            "string",
            whole=True,
            sortable=True,
            facet="string",
            options=frozenset({"normalizer"}),
        ),
        FieldType("uuid", "uuid", whole=True, dynamic=True, sortable=True),
        FieldType("vector", options=_VECTOR),
    )
}
"""Every field type by name."""

DYNAMIC: Final = tuple(name for name, one in FIELD_TYPES.items() if one.dynamic)
"""Types that `dynamic: true` gives to every field, beside documents."""

SORTABLE: Final = tuple(name for name, one in FIELD_TYPES.items() if one.sortable)
"""Types that `sort` takes, the deprecated ones among them."""

WHOLE: Final = {one.kind: name for name, one in FIELD_TYPES.items() if one.whole and one.kind}
"""The type that compares whole values, by the kind of the value."""

MAX_TOKEN_CHARACTERS: Final = 8191
"""UTF-16 units of a string that a `token` field and a filter of `$vectorSearch` keep; the rest is cut off."""
