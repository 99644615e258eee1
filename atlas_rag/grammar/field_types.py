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
        options: keys that a definition of this type may hold beside `type`.
        deprecated: old definitions hold it; it is not offered any more.
    """

    name: str
    kind: str | None = None
    whole: bool = False
    dynamic: bool = False
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
        FieldType("boolean", "bool", whole=True, dynamic=True),
        FieldType("date", "date", whole=True, dynamic=True),
        FieldType("dateFacet", "date", deprecated=True),
        FieldType("document", options=_DOCUMENT),
        FieldType("embeddedDocuments", options=_DOCUMENT | {"storedSource"}),
        FieldType("geo", options=frozenset({"indexShapes"})),
        FieldType("knnVector", options=frozenset({"dimensions", "similarity"}), deprecated=True),
        FieldType("number", "number", whole=True, dynamic=True, options=_NUMBER),
        FieldType("numberFacet", "number", options=_NUMBER, deprecated=True),
        FieldType("objectId", "objectId", whole=True, dynamic=True),
        FieldType("sortableDateBetaV1", "date", deprecated=True),
        FieldType("sortableNumberBetaV1", "number", deprecated=True),
        FieldType("sortableStringBetaV1", "string", deprecated=True),
        FieldType("string", "string", dynamic=True, options=_STRING),
        FieldType("stringFacet", "string", deprecated=True),
        FieldType("token", "string", whole=True, options=frozenset({"normalizer"})),
        FieldType("uuid", "uuid", whole=True, dynamic=True),
        FieldType("vector", options=_VECTOR),
    )
}
"""Every field type by name."""

DYNAMIC: Final = tuple(name for name, one in FIELD_TYPES.items() if one.dynamic)
"""Types that `dynamic: true` gives to every field, beside documents."""

WHOLE: Final = {one.kind: name for name, one in FIELD_TYPES.items() if one.whole and one.kind}
"""The type that compares whole values, by the kind of the value."""

MAX_TOKEN_CHARACTERS: Final = 8191
"""UTF-16 units of a string that a `token` field and a filter of `$vectorSearch` keep; the rest is cut off."""
