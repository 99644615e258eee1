"""`mappings`: the tree of fields of a search index, and what it takes without being told (`dynamic`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.fields import (
    AUTO_EMBED_VECTOR,
    AUTOCOMPLETE,
    FIELD_TYPE,
    GEO,
    KNN_VECTOR,
    SEARCH_VECTOR,
    STRING,
    TOKEN,
    number,
)
from atlas_rag.grammar.definitions.stored_source import STORED_SOURCE
from atlas_rag.grammar.field_types import FIELD_TYPES
from atlas_rag.grammar.kit import (
    Boolean,
    Document,
    DocumentOr,
    ListOf,
    MapOf,
    Rule,
    Tagged,
    Text,
    field,
    is_array,
    required,
)
from atlas_rag.grammar.problem import At, Found, problem

HIDDEN_TYPES: Final = frozenset(
    name for name, one in FIELD_TYPES.items() if one.deprecated and name != "knnVector"
)
"""Deprecated types: accepted, and not listed in refusals."""

NOT_EMBEDDABLE: Final = (
    "sortableDateBetaV1",
    "sortableNumberBetaV1",
    "sortableStringBetaV1",
    "knnVector",
)
"""Types that cannot stand inside `embeddedDocuments`, as the refusal orders them."""

_SORTABLE_TYPES: Final = ("sortableDateBetaV1", "sortableNumberBetaV1", "sortableStringBetaV1")
_VECTOR_TYPES: Final = ("knnVector", "vector", "autoEmbedVector")

# ------------------------------------------------------------------ one field


def types_of(definition: Any) -> list[Mapping[str, Any]]:
    """The type definitions of a sound field: one, or a list of them."""
    return list(definition) if is_array(definition) else [definition]


def _one_of_each(types: list[Any], at: At, found: Found) -> None:
    names = [one["type"] for one in types]
    repeated = list(dict.fromkeys(name for name in names if names.count(name) > 1))
    if repeated:
        text = f'field contained multiple "[{", ".join(repeated)}]" type definitions'
        found.append(problem(at, text, "duplicate"))
    elif sum(name in _VECTOR_TYPES for name in names) > 1:
        found.append(problem(at, "can only define one of [knnVector, vector]", "exclusive"))
    elif sum(name in _SORTABLE_TYPES for name in names) > 1:
        text = f"can only define one of [{', '.join(_SORTABLE_TYPES)}]"
        found.append(problem(at, text, "exclusive"))
    elif "sortableStringBetaV1" in names and "token" in names:
        found.append(problem(at, "Can only define one of [SortableStringBetaV1, Token]", "exclusive"))


class FieldDefinition:
    """One type definition, or a list of different ones."""

    _many = ListOf(FIELD_TYPE, rule=_one_of_each)

    def check(self, value: Any, at: At, found: Found) -> None:
        (self._many if is_array(value) else FIELD_TYPE).check(value, at, found)


# ------------------------------------------------------------------ documents

_DYNAMIC: Final = field(
    "dynamic",
    DocumentOr(
        lambda value: isinstance(value, bool),
        Boolean(),
        Document(required("typeSet", Text(blank=False))),
        "boolean or document",
    ),
)
_FIELDS: Final = field("fields", MapOf(FieldDefinition(), null="cannot be null"))


def inner_fields(document: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Every (name, type definition) directly inside a sound document definition."""
    for name, definition in (document.get("fields") or {}).items():
        for one in types_of(definition):
            yield name, one


def _types_inside(document: Mapping[str, Any]) -> Iterator[str]:
    for _, one in inner_fields(document):
        yield one["type"]
        if one["type"] == "document":
            yield from _types_inside(one)


def _only_embeddable(embedded: Mapping[str, Any], at: At, found: Found) -> None:
    inside = set(_types_inside(embedded))
    refused = [name for name in NOT_EMBEDDABLE if name in inside]
    if refused:
        text = f"cannot define fields of type {', '.join(refused)} inside an embeddedDocuments field"
        found.append(problem(at, text, "nesting"))


def embedded_paths(document: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """The dotted path of every `embeddedDocuments` field below a sound document definition."""
    for name, one in inner_fields(document):
        if one["type"] == "embeddedDocuments":
            yield prefix + name
        if one["type"] in ("document", "embeddedDocuments"):
            yield from embedded_paths(one, f"{prefix}{name}.")


def _one_embedding_per_path(mappings: Mapping[str, Any], at: At, found: Found) -> None:
    paths = list(embedded_paths(mappings))
    repeated = list(dict.fromkeys(path for path in paths if paths.count(path) > 1))
    if repeated:
        text = f"cannot define multiple embeddedDocuments fields at sub-paths {', '.join(repeated)}"
        found.append(problem(at, text, "duplicate"))


TYPES: Final = {
    "autoEmbedVector": AUTO_EMBED_VECTOR,
    "autocomplete": AUTOCOMPLETE,
    "boolean": Document(),
    "date": Document(),
    "dateFacet": Document(),
    "document": Document(_DYNAMIC, _FIELDS),
    "embeddedDocuments": Document(_DYNAMIC, _FIELDS, STORED_SOURCE, Rule(_only_embeddable, "fields")),
    "geo": GEO,
    "knnVector": KNN_VECTOR,
    "number": number(),
    "numberFacet": number(),
    "objectId": Document(),
    "sortableDateBetaV1": Document(),
    "sortableNumberBetaV1": Document(),
    "sortableStringBetaV1": Document(),
    "string": STRING,
    "stringFacet": Document(),
    "token": TOKEN,
    "uuid": Document(),
    "vector": SEARCH_VECTOR,
}
"""Every field type by name."""

FIELD_TYPE.define(Tagged("type", TYPES, hidden=HIDDEN_TYPES))

MAPPINGS: Final = Document(_DYNAMIC, _FIELDS, Rule(_one_embedding_per_path, "fields"))
