"""Whether the indexes that are there serve a need: more is fine, less is named with its remedy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from atlas_rag.capability import SearchIndex
from atlas_rag.grammar.field_types import DYNAMIC
from atlas_rag.indexes.desired.wanted import WantedIndex

DYNAMIC_TYPES: Final = frozenset({*DYNAMIC, "document"})
"""What `dynamic: true` maps. Never tokens: equality and ranges of strings need a mapping of their own."""

DEFAULTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "number": {"indexIntegers": True, "indexDoubles": True},
    "token": {"normalizer": "none"},
}
"""Options that decide what is found, by type, with what holds where a definition does not say."""


@dataclass(frozen=True, slots=True)
class Unmet:
    """One thing that a need lacks.

    Args:
        index: its name. problem: what is absent. next_step: what to do about it.
    """

    index: str
    problem: str
    next_step: str

    def to_dict(self) -> dict[str, str]:
        """As JSON."""
        return {"index": self.index, "problem": self.problem, "next_step": self.next_step}


def unmet_needs(present: Iterable[SearchIndex], needed: Sequence[WantedIndex]) -> tuple[Unmet, ...]:
    """What the present indexes lack of the needed ones; nothing if all of them can be queried as needed."""
    by_name = {index.name: index for index in present}
    return tuple(one for index in needed for one in _unmet(by_name, index))


def _unmet(present: Mapping[str, SearchIndex], needed: WantedIndex) -> Iterator[Unmet]:
    found = present.get(needed.name)
    if found is None:
        names = ", ".join(sorted(present)) or "none"
        step = f"create it, or use one of those that are there: {names}"
        yield Unmet(needed.name, f"there is no {needed.type} index of this name", step)
        return
    if found.type != needed.type:
        yield Unmet(
            needed.name, f"is of type {found.type}, not {needed.type}", "give the new index another name"
        )
        return
    if not found.queryable:
        yield Unmet(needed.name, f"is {found.status} and cannot be queried", _way_out(found.status))
    lacks = _vector_lacks if needed.type == "vectorSearch" else _search_lacks
    for problem in lacks(found.definition, needed.to_dict()["definition"]):
        yield Unmet(needed.name, problem, "update the definition, or build a new index beside it")


def _way_out(status: str) -> str:
    if status == "FAILED":
        return "read its message with `index status` and apply a corrected definition"
    if status == "DELETING":
        return "wait until it is gone, then create it"
    return "wait until it can be queried"


def _vector_lacks(present: Mapping[str, Any], needed: Mapping[str, Any]) -> Iterator[str]:
    there = {(field.get("type", "vector"), field.get("path")): field for field in present.get("fields", ())}
    for field in needed.get("fields", ()):
        kind, path = field["type"], field["path"]
        found = there.get((kind, path))
        if found is None:
            yield f"{path} is not indexed as {kind}"
            continue
        for option in ("numDimensions", "similarity"):
            if option in field and found.get(option) != field[option]:
                yield f"{path}: {option} is {found.get(option)}, not {field[option]}"
    if present.get("nestedRoot") != needed.get("nestedRoot"):
        yield f"nestedRoot is {present.get('nestedRoot')}, not {needed.get('nestedRoot')}"


def _search_lacks(present: Mapping[str, Any], needed: Mapping[str, Any]) -> Iterator[str]:
    analyzer = needed.get("analyzer")
    if analyzer is not None and present.get("analyzer", "lucene.standard") != analyzer:
        yield f"the analyzer is {present.get('analyzer', 'lucene.standard')}, not {analyzer}"
    sets = {one.get("name"): _types(one.get("types", ())) for one in present.get("typeSets") or ()}
    yield from _mapping_lacks(present.get("mappings") or {}, needed.get("mappings") or {}, sets, "")


def _mapping_lacks(
    present: Mapping[str, Any], needed: Mapping[str, Any], sets: Mapping[Any, frozenset[str]], prefix: str
) -> Iterator[str]:
    """The fields that a mapping lacks, below `prefix`."""
    there = present.get("fields") or {}
    dynamic = _dynamic(present.get("dynamic", False), sets)
    for name, value in (needed.get("fields") or {}).items():
        mapped = _several(there[name]) if name in there else []
        for field in _several(value):
            found = next((one for one in mapped if one["type"] == field["type"]), None)
            path = prefix + name
            if found is None and (mapped or field["type"] not in dynamic):
                yield f"{path} is not indexed as {field['type']}"
                continue
            if "fields" in field:
                inside = found if found is not None else {"dynamic": present.get("dynamic", False)}
                yield from _mapping_lacks(inside, field, sets, f"{path}.")
            elif found is not None and found.get("analyzer") != field.get("analyzer", found.get("analyzer")):
                yield f"{path}: the analyzer is {found.get('analyzer')}, not {field['analyzer']}"
            yield from _option_lacks(path, found or {}, field)


def _option_lacks(path: str, found: Mapping[str, Any], needed: Mapping[str, Any]) -> Iterator[str]:
    for option, default in DEFAULTS.get(needed["type"], {}).items():
        there, wanted = found.get(option, default), needed.get(option, default)
        if there != wanted:
            yield f"{path}: {option} is {there}, not {wanted}"
    if needed.get("representation") == "int64" != found.get("representation"):
        yield f"{path}: representation is {found.get('representation', 'double')}, not int64"


def _dynamic(value: Any, sets: Mapping[Any, frozenset[str]]) -> frozenset[str]:
    if isinstance(value, Mapping):
        return sets.get(value.get("typeSet"), frozenset())
    return DYNAMIC_TYPES if value else frozenset()


def _types(fields: Iterable[Mapping[str, Any]]) -> frozenset[str]:
    return frozenset(field.get("type", "") for field in fields)


def _several(value: Any) -> list[Mapping[str, Any]]:
    return list(value) if isinstance(value, list | tuple) else [value]
