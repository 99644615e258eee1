"""The field types that a search index needs for filters: from their values, and from documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from atlas_rag.errors import CallError
from atlas_rag.grammar.field_types import WHOLE
from atlas_rag.indexes.documents.values import EXACT_DOUBLES, kind, values_at
from atlas_rag.query.filter import Comparison, Filter
from atlas_rag.stages.filters import simplify

FilterPaths: TypeAlias = Iterable[str] | Mapping[str, str]
"""Paths that calls may filter by: of strings, or each with the type of its values in a search index."""

LIKE: Final = {"type": "string", "analyzer": "lucene.keyword"}
"""How a search index serves patterns: the whole value as one term."""

Fields: TypeAlias = dict[str, list[dict[str, Any]]]
"""Mappings by dotted path."""

Documents: TypeAlias = Sequence[Mapping[str, Any]]


def filter_fields(
    conditions: Iterable[Filter | None], filter_paths: FilterPaths, documents: Documents = ()
) -> Fields:
    """The types by path, in the order in which the paths are named.

    A path has the types of the values that it is compared with and those announced for it; where neither says
    anything, those of the documents, and strings where these are silent too. Numbers are kept as 64-bit
    integers where one of the values compared with, or of the documents, is beyond what doubles tell apart.

    Raises:
        CallError: INVALID_OPTION for a type that no filter can use.
    """
    leaves = [leaf for condition in conditions for leaf in _leaves(condition)]
    announced = filter_paths if isinstance(filter_paths, Mapping) else dict.fromkeys(filter_paths)
    kinds = {path: _announced(path, name) for path, name in announced.items()}
    for leaf in leaves:
        known = kinds.setdefault(leaf.path, {})
        known |= dict.fromkeys(["like"] if leaf.operator == "like" else leaf.types)
    fields: Fields = {}
    for path, compared in kinds.items():
        values = [value for document in documents for value in values_at(document, path)]
        found = [one for one in compared if one in WHOLE or one == "like"]
        found = found or [one for one in dict.fromkeys(map(kind, values)) if one in WHOLE] or ["string"]
        numbers = [value for leaf in leaves if leaf.path == path for value in _values(leaf)]
        fields[path] = [_type(one, [*numbers, *values]) for one in found]
    return fields


def _leaves(condition: Filter | None) -> Iterable[Comparison]:
    simple = "everything" if condition is None else simplify(condition)
    return () if isinstance(simple, str) else simple.leaves()


def _announced(path: str, name: str | None) -> dict[str, None]:
    if name is None:
        return {}
    kinds = [one for one, type_name in WHOLE.items() if type_name == name]
    if not kinds:
        raise CallError(f"{path!r} is of type {name!r}", expected=f"one of {', '.join(WHOLE.values())}")
    return dict.fromkeys(kinds)


def _values(leaf: Comparison) -> Iterable[Any]:
    return leaf.value if isinstance(leaf.value, tuple) else (leaf.value,)


def _type(name: str, values: Iterable[Any]) -> dict[str, Any]:
    if name == "like":
        return dict(LIKE)
    if name == "number" and any(map(_is_beyond_doubles, values)):
        return {"type": "number", "representation": "int64"}
    return {"type": WHOLE[name]}


def _is_beyond_doubles(value: Any) -> bool:
    return isinstance(value, int) and abs(value) >= EXACT_DOUBLES
