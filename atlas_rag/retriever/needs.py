"""The search indexes that a retriever needs, derived from what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, TypeAlias, get_args

from atlas_rag.errors import CallError, Code
from atlas_rag.indexes import WantedIndex, named_by_content
from atlas_rag.plan import Input, KeywordInput, VectorInput
from atlas_rag.query.filter import Filter
from atlas_rag.retriever.setup import Setup
from atlas_rag.stages.filters import simplify

FieldType: TypeAlias = Literal["token", "number", "date", "boolean", "objectId", "uuid"]
FilterPaths: TypeAlias = Iterable[str] | Mapping[str, FieldType]
"""Paths that calls may filter by: of strings, or each with the type of its values in a search index."""

FIELD_TYPES: dict[str, FieldType] = {
    "string": "token",
    "number": "number",
    "date": "date",
    "bool": "boolean",
    "objectId": "objectId",
    "uuid": "uuid",
}
LIKE = {"type": "string", "analyzer": "lucene.keyword"}
"""How a search index serves patterns: the whole value as one term."""

Fields = dict[str, list[dict[str, Any]]]
"""Mappings by dotted path."""


def required_indexes(
    setup: Setup,
    *,
    filter_paths: FilterPaths = (),
    dimensions: int | None = None,
    similarity: str = "cosine",
    analyzer: str | None = None,
    by_content: bool = False,
) -> tuple[WantedIndex, ...]:
    """One definition for each index that the input pipelines name. See `Retriever.required_indexes`."""
    filters = _filter_fields(setup, filter_paths)
    length = setup.embedder.dimensions if dimensions is None and setup.embedder is not None else dimensions
    names = dict.fromkeys((type(one), one.index) for one in setup.inputs)
    wanted = []
    for kind, name in names:
        inputs = [one for one in setup.inputs if isinstance(one, kind) and one.index == name]
        if kind is VectorInput:
            wanted.append(_vector_index(name, inputs, filters, length, similarity))
        else:
            wanted.append(_search_index(name, inputs, filters, analyzer))
    return tuple(map(named_by_content, wanted)) if by_content else tuple(wanted)


def _vector_index(
    name: str, inputs: Iterable[Input], filters: Fields, dimensions: int | None, similarity: str
) -> WantedIndex:
    if dimensions is None:
        raise CallError(
            f"The dimensions of the index {name!r} are not known",
            expected="a retriever with an embedder, or dimensions=…",
        )
    paths = dict.fromkeys(one.path for one in inputs if isinstance(one, VectorInput))
    options = {"numDimensions": dimensions, "similarity": similarity}
    fields: list[dict[str, Any]] = [{"type": "vector", "path": path, **options} for path in paths]
    fields += [{"type": "filter", "path": path} for path in filters]
    return WantedIndex(name, "vectorSearch", {"fields": fields})


def _search_index(name: str, inputs: Iterable[Input], filters: Fields, analyzer: str | None) -> WantedIndex:
    fields: Fields = {}
    for one in inputs:
        for path in one.paths if isinstance(one, KeywordInput) else ():
            fields[path] = [{"type": "string"}]
    for path, mappings in filters.items():
        if path in fields and LIKE in mappings:
            raise CallError(
                f"{path!r} is searched for words and filtered by a pattern",
                expected="one or the other: a pattern needs the whole value as one term",
                next_step="copy the value to a field of its own for the filter",
                code=Code.INVALID_DEFINITION,
            )
        fields[path] = [*fields.get(path, ()), *mappings]
    definition: dict[str, Any] = {"mappings": {"dynamic": False, "fields": _nested(fields)}}
    return WantedIndex(name, "search", definition | ({"analyzer": analyzer} if analyzer else {}))


def _nested(fields: Fields) -> dict[str, Any]:
    """Dotted paths as documents in documents; one mapping alone, several as a list."""
    root: dict[str, Any] = {}
    for path, mappings in sorted(fields.items()):
        *parents, last = path.split(".")
        level = root
        for parent in parents:
            documents = level.setdefault(parent, [])
            inside = next((one for one in documents if one["type"] == "document"), None)
            if inside is None:
                inside = {"type": "document", "dynamic": False, "fields": {}}
                documents.append(inside)
            level = inside["fields"]
        level.setdefault(last, []).extend(mappings)
    return _unwrapped(root)


def _unwrapped(fields: dict[str, Any]) -> dict[str, Any]:
    for mappings in fields.values():
        for one in mappings:
            if "fields" in one:
                one["fields"] = _unwrapped(one["fields"])
    return {name: one[0] if len(one) == 1 else one for name, one in fields.items()}


def _filter_fields(setup: Setup, filter_paths: FilterPaths) -> Fields:
    """The paths of the default filters and those announced, with the mappings that serve them."""
    fields: Fields = {}
    types = filter_paths if isinstance(filter_paths, Mapping) else dict.fromkeys(filter_paths, "token")
    for path, kind in types.items():
        if kind not in get_args(FieldType):
            raise CallError(
                f"{path!r} is of type {kind!r}", expected=f"one of {', '.join(get_args(FieldType))}"
            )
        fields[path] = [{"type": kind}]
    for condition in (setup.options.store_filter, setup.options.filter):
        _add_condition(fields, condition)
    return {path: mappings or [{"type": "token"}] for path, mappings in fields.items()}


def _add_condition(fields: Fields, condition: Filter | None) -> None:
    simple = "everything" if condition is None else simplify(condition)
    for leaf in () if isinstance(simple, str) else simple.leaves():
        mappings = fields.setdefault(leaf.path, [])
        if leaf.operator == "like":
            needed = [LIKE]
        else:
            needed = [{"type": FIELD_TYPES[kind]} for kind in leaf.types if kind in FIELD_TYPES]
        mappings += [
            one for index, one in enumerate(needed) if one not in mappings and one not in needed[:index]
        ]
