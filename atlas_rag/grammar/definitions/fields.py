"""The field types of `mappings` that hold values (documents are in `mappings`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.vector_fields import DIMENSIONS, MODALITY, MODEL, SIMILARITY, VECTOR
from atlas_rag.grammar.kit import (
    POSITIVE,
    Boolean,
    Document,
    Enum,
    Int32,
    Later,
    MapOf,
    Rule,
    Text,
    field,
    is_document,
    required,
)
from atlas_rag.grammar.problem import At, Found, problem

DEFAULT_MIN_GRAMS: Final = 2
DEFAULT_MAX_GRAMS: Final = 15

FIELD_TYPE: Final = Later()
"""One field definition of any type, named by its `type`; defined in `mappings`."""

_SIMILARITY: Final = field("similarity", Document(required("type", Enum("bm25", "boolean", "stableTfl"))))

# ------------------------------------------------------------------ string and autocomplete


class _MultiField:
    """An alternative analysis of a string: a string field again, without alternatives of its own."""

    def check(self, value: Any, at: At, found: Found) -> None:
        before = len(found)
        FIELD_TYPE.check(value, at, found)
        if len(found) > before or not is_document(value):
            return
        if value["type"] != "string":
            found.append(problem(at, "multi definition must be string field", "nesting"))
        elif value.get("multi"):
            found.append(problem(at, "multi definition cannot contain nested multi definition", "nesting"))


def _multi_name(name: str) -> str | None:
    return 'multi path cannot contain "."' if "." in name else None


STRING: Final = Document(
    field("analyzer", Text(empty=False)),
    field("searchAnalyzer", Text(empty=False)),
    _SIMILARITY,
    field("ignoreAbove", Int32(POSITIVE)),
    field("indexOptions", Enum("docs", "freqs", "offsets", "positions")),
    field("store", Boolean()),
    field("norms", Enum("include", "omit")),
    field("multi", MapOf(_MultiField(), key=_multi_name)),
)


def _grams(definition: Mapping[str, Any], at: At, found: Found) -> None:
    low, high = definition.get("minGrams"), definition.get("maxGrams")
    if low is not None and high is not None and low > high:
        found.append(problem(at, "minGrams cannot be greater than maxGrams", "bounds"))
    elif low is None and high is not None and high < DEFAULT_MIN_GRAMS:
        text = f"maxGrams must be greater than or equal to the default minGrams value of {DEFAULT_MIN_GRAMS}"
        found.append(problem(at, text, "bounds"))
    elif high is None and low is not None and low > DEFAULT_MAX_GRAMS:
        text = f"minGrams must be less than or equal to the default maxGrams value of {DEFAULT_MAX_GRAMS}"
        found.append(problem(at, text, "bounds"))


AUTOCOMPLETE: Final = Document(
    field("minGrams", Int32(POSITIVE)),
    field("maxGrams", Int32(POSITIVE)),
    field("foldDiacritics", Boolean()),
    field("tokenization", Enum("edgeGram", "nGram", "rightEdgeGram")),
    field("analyzer", Text()),
    _SIMILARITY,
    Rule(_grams, "minGrams", "maxGrams"),
)

# ------------------------------------------------------------------ numbers and other scalars


def _some_number(definition: Mapping[str, Any], at: At, found: Found) -> None:
    if definition.get("indexIntegers") is False and definition.get("indexDoubles") is False:
        found.append(problem(at, "indexDoubles and indexIntegers may not both be false", "exclusive"))


def number() -> Document:
    """A number field: the type itself, and its facet form."""
    return Document(
        field("indexIntegers", Boolean()),
        field("indexDoubles", Boolean()),
        Rule(_some_number, "indexIntegers", "indexDoubles"),
        field("representation", Enum("double", "int64")),
    )


TOKEN: Final = Document(field("normalizer", Enum("lowercase", "none")))
GEO: Final = Document(field("indexShapes", Boolean()))

# ------------------------------------------------------------------ vectors

KNN_VECTOR: Final = Document(required("dimensions", DIMENSIONS), required("similarity", SIMILARITY))
SEARCH_VECTOR: Final = Document(*VECTOR)
AUTO_EMBED_VECTOR: Final = Document(MODEL, MODALITY, required("sourceField", Text()))
