"""Definitions, documents and filters of every awkward kind, and a plain oracle of what a filter means."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from bson import Binary, ObjectId
from hypothesis import strategies as st

from atlas_rag import Filter
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Not

PATHS = ("a", "b", "c.d", "c.e")
DAYS = [dt.datetime(2026, 1, day) for day in (1, 2, 3)]
IDS = [ObjectId("0" * 24), ObjectId("1" * 24)]
UUIDS = [UUID(int=1), UUID(int=2)]
NUMBERS = [
    *(-1, 0, 1, 2, 12, 2**31, 2**53 - 1, 2**53, 2**53 + 1, 2**60, 2**60 + 1, 2**63 - 1, 2**63 - 2, -(2**63)),
    *(1.0, 1.5, 12.7, -0.5, -1.5, 2.0**53, 2.0**60, 2.0**63, 1e300, -1e300),
]
STRINGS = ["a", "A", "b", "ab", "aB", "", "a b"]
LONG = ["x" * 8190, "x" * 8191, "x" * 8192]
SCALARS: list[Any] = [None, True, False, *STRINGS, *DAYS, *IDS, *UUIDS]

# ------------------------------------------------------------------ what a filter means


def holds(condition: Filter, document: dict[str, Any]) -> bool:
    """Whether a filter holds for a document, by its words."""
    match condition:
        case AllOf(parts):
            return all(holds(part, document) for part in parts)
        case AnyOf(parts):
            return any(holds(part, document) for part in parts)
        case Not(part):
            return not holds(part, document)
        case Comparison(path, operator, wanted):
            found = list(_at(document, path.split(".")))
            if operator in ("exists", "not_exists"):
                return bool(found) == (operator == "exists")
            values = [one for value in found for one in (value if isinstance(value, list) else [value])]
            if operator in ("ne", "not_in"):
                options = wanted if isinstance(wanted, tuple) else (wanted,)
                return bool(found) and not any(_fits(one, "eq", two) for one in values for two in options)
            if operator == "in":
                return any(_fits(one, "eq", option) for one in values for option in wanted)
            return any(_fits(one, operator, wanted) for one in values)
    raise TypeError(condition)


def _at(value: Any, names: list[str]) -> Iterator[Any]:
    """What stands at a path, arrays on the way followed."""
    if not names:
        yield value
    elif isinstance(value, dict) and names[0] in value:
        yield from _at(value[names[0]], names[1:])
    elif isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                yield from _at(item, names)


def _fits(value: Any, operator: str, wanted: Any) -> bool:
    if _kind(value) != _kind(wanted):
        return False
    value, wanted = (one.bytes if isinstance(one, UUID) else one for one in (value, wanted))
    if operator == "like":
        return _like(value, wanted)
    return {
        "eq": lambda: value == wanted,
        "gt": lambda: value > wanted,
        "gte": lambda: value >= wanted,
        "lt": lambda: value < wanted,
        "lte": lambda: value <= wanted,
    }[operator]()


def _kind(value: Any) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return "number"
    return type(value)


def _like(value: str, pattern: str) -> bool:
    if not pattern:
        return not value
    if pattern[0] == "%":
        return any(_like(value[at:], pattern[1:]) for at in range(len(value) + 1))
    return bool(value) and pattern[0] in ("_", value[0]) and _like(value[1:], pattern[1:])


# ------------------------------------------------------------------ documents

_scalars = st.one_of(
    st.sampled_from(SCALARS), st.sampled_from(SCALARS), st.sampled_from(NUMBERS), st.sampled_from(LONG)
)
_ordered = _scalars.filter(lambda one: one is not None and not isinstance(one, bool))
_values = st.one_of(
    _scalars,
    _scalars,
    st.lists(_scalars, max_size=3),
    st.just({"x": 1}),
)
_parts = st.fixed_dictionaries({}, optional={"d": _values, "e": _values})
documents = st.lists(
    st.fixed_dictionaries(
        {},
        optional={
            "a": _values | st.just(Binary(b"other", 0)),
            "b": _values,
            "c": st.one_of(_parts, st.lists(_parts, max_size=3), _scalars),
        },
    ),
    min_size=1,
    max_size=10,
)

# ------------------------------------------------------------------ filters

_paths = st.sampled_from(PATHS)
comparisons = st.one_of(
    st.builds(Comparison, _paths, st.sampled_from(["eq", "ne"]), _scalars),
    st.builds(Comparison, _paths, st.sampled_from(["gt", "gte", "lt", "lte"]), _ordered),
    st.builds(
        Comparison, _paths, st.sampled_from(["in", "not_in"]), st.lists(_scalars, max_size=4).map(tuple)
    ),
    st.builds(Comparison, _paths, st.just("like"), st.sampled_from(["a%", "%b", "_", "", "%", "A_", "a b"])),
    st.builds(Comparison, _paths, st.sampled_from(["exists", "not_exists"])),
)
filters = st.recursive(
    comparisons,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AllOf(tuple(parts))),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: AnyOf(tuple(parts))),
        inner.map(lambda part: ~part),
    ),
    max_leaves=3,
)

# ------------------------------------------------------------------ definitions

TYPES: list[dict[str, Any]] = [
    *({"type": kind} for kind in ("token", "number", "date", "boolean", "objectId", "uuid")),
    *(
        {"type": kind}
        for kind in ("string", "autocomplete", "geo", "stringFacet", "numberFacet", "dateFacet")
    ),
    {"type": "token", "normalizer": "lowercase"},
    {"type": "token", "normalizer": "none"},
    {"type": "string", "analyzer": "lucene.keyword"},
    {"type": "string", "analyzer": "lucene.keyword", "searchAnalyzer": "lucene.standard"},
    {"type": "number", "representation": "int64"},
    {"type": "number", "representation": "double", "indexDoubles": False},
    {"type": "number", "indexIntegers": False},
]
EVERY: list[dict[str, Any]] = [
    *({"type": kind} for kind in ("token", "date", "boolean", "objectId", "uuid")),
    {"type": "string", "analyzer": "lucene.keyword"},
]


def _one_of_each(types: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return list({one["type"]: one for one in types}.values())


_numbers = st.sampled_from([{"type": "number"}, {"type": "number", "representation": "int64"}])
_every = _numbers.map(lambda number: [*EVERY, number])
_field = st.one_of(_every, _every, st.lists(st.sampled_from(TYPES), min_size=1, max_size=4).map(_one_of_each))
_dynamic = st.sampled_from([False, False, True, True, {"typeSet": "some"}, {"typeSet": "whole"}])
_inner = st.fixed_dictionaries(
    {},
    optional={"dynamic": _dynamic, "fields": st.fixed_dictionaries({}, optional={"d": _field, "e": _field})},
)
_container = st.one_of(
    _inner.map(lambda inner: {"type": "document", **inner}),
    _inner.map(lambda inner: {"type": "document", **inner}),
    _inner.map(lambda inner: {"type": "embeddedDocuments", **inner}),
    st.tuples(_inner, _inner).map(
        lambda both: [{"type": "document", **both[0]}, {"type": "embeddedDocuments", **both[1]}]
    ),
    _field,
)
_TYPE_SETS = [
    {"name": "some", "types": [{"type": "token"}, {"type": "number", "representation": "int64"}]},
    {"name": "whole", "types": [*EVERY, {"type": "number"}]},
]
search_definitions = st.builds(
    lambda mappings, rest: {
        "mappings": {
            **mappings,
            "fields": {
                **mappings.get("fields", {}),
                "all": {"type": "string", "analyzer": "lucene.standard"},
            },
        },
        "typeSets": _TYPE_SETS,
        **rest,
    },
    st.fixed_dictionaries(
        {},
        optional={
            "dynamic": _dynamic,
            "fields": st.fixed_dictionaries({}, optional={"a": _field, "b": _field, "c": _container}),
        },
    ),
    st.sampled_from([{}, {}, {"analyzer": "lucene.keyword"}]),
)
filter_paths = st.just(set(PATHS)) | st.sets(_paths)


VECTOR_PATHS = ("v", "c.v")
"""A vector of the document itself, and one of each of its parts."""


def vector_definition(path: str, paths: set[str]) -> dict[str, Any]:
    """A vectorSearch definition over a vector path, with these filter paths."""
    vector = {"type": "vector", "path": path, "numDimensions": 2, "similarity": "cosine"}
    filters = [{"type": "filter", "path": one} for one in sorted(paths)]
    nested = {"nestedRoot": "c"} if path == "c.v" else {}
    return {"fields": [vector, *filters], **nested}


def as_stored(row: dict[str, Any], key: int) -> dict[str, Any]:
    """A drawn document as PyMongo would send it, with an `_id`, a text, and a vector at every level."""
    stored = _plain(row)
    parts = stored.get("c")
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, dict):
            part["v"] = [1.0, 0.25]
    return {**stored, "_id": key, "v": [1.0, 0.5], "all": "word"}


def has_vector(row: dict[str, Any], path: str) -> bool:
    """Whether a document has a vector at a path, so that a vector search can find it at all."""
    parts = row.get("c")
    return path == "v" or any(
        isinstance(one, dict) for one in (parts if isinstance(parts, list) else [parts])
    )


def _plain(value: Any) -> Any:
    if isinstance(value, UUID):
        return Binary.from_uuid(value)
    if isinstance(value, dict):
        return {name: _plain(inner) for name, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list) else value
