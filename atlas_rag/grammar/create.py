"""What the parser accepts in a definition and index creation refuses later.

The checks run in this order when a definition is sent with `createSearchIndexes`. Definitions must be sound:
ask `search_index_problems` or `vector_index_problems` first.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.grammar import field_types
from atlas_rag.grammar.definitions.mappings import inner_fields, types_of
from atlas_rag.grammar.field_types import FIELD_TYPES
from atlas_rag.grammar.geometry import constant_name
from atlas_rag.grammar.kit import is_document
from atlas_rag.grammar.problem import Found, bare_problem, problem
from atlas_rag.grammar.stock_analyzers import STOCK_ANALYZERS

SORTABLE: Final = tuple(name for name in field_types.SORTABLE if not FIELD_TYPES[name].deprecated)
"""Types that the sort of an index takes."""

_SORT_COMPANIONS: Final = {"token": frozenset({"autocomplete", "string"})}

# ------------------------------------------------------------------ search indexes


def check_search_index(definition: Mapping[str, Any], found: Found) -> None:
    """Append what creation refuses in a sound definition of type `search`."""
    _distinct_synonyms(definition, found)
    _known_type_sets(definition, found)
    if definition.get("sort") is not None:
        _sortable(definition, found)
    _known_analyzers(definition, found)


def _distinct_synonyms(definition: Mapping[str, Any], found: Found) -> None:
    names = [synonyms["name"] for synonyms in definition.get("synonyms") or ()]
    if len(set(names)) < len(names):
        text = "cannot contain elements with the same name"
        found.append(problem((None, "synonyms"), text, "duplicate"))


def _known_type_sets(definition: Mapping[str, Any], found: Found) -> None:
    known = {one["name"] for one in definition.get("typeSets") or ()}
    used = dict.fromkeys(_type_sets(definition["mappings"]))
    unknown = [name for name in used if name not in known]
    if unknown:
        text = f"Invalid typeSets defined in index definition: [{', '.join(unknown)}]"
        found.append(bare_problem((None, "typeSets"), text, "reference"))


def _type_sets(document: Mapping[str, Any]) -> Iterator[str]:
    dynamic = document.get("dynamic")
    if is_document(dynamic):
        yield dynamic["typeSet"]
    for _, one in inner_fields(document):
        yield from _type_sets(one)


def _known_analyzers(definition: Mapping[str, Any], found: Found) -> None:
    known = {one["name"] for one in definition.get("analyzers") or ()} | STOCK_ANALYZERS
    unknown = dict.fromkeys(name for name in _analyzers(definition) if name not in known)
    if unknown:
        text = f"references non-existent analyzers: {', '.join(unknown)}"
        found.append(bare_problem((None, "analyzers"), text, "reference"))


def _analyzers(definition: Mapping[str, Any]) -> Iterator[str]:
    """Every analyzer name that a definition refers to."""
    yield from _named_by(definition)
    yield from _field_analyzers(definition["mappings"])
    for type_set in definition.get("typeSets") or ():
        for one in type_set["types"]:
            yield from _analyzers_of(one)
    for synonyms in definition.get("synonyms") or ():
        yield synonyms["analyzer"]


def _named_by(holder: Mapping[str, Any]) -> Iterator[str]:
    for key in ("analyzer", "searchAnalyzer"):
        if holder.get(key) is not None:
            yield holder[key]


def _field_analyzers(document: Mapping[str, Any]) -> Iterator[str]:
    for _, one in inner_fields(document):
        yield from _analyzers_of(one)
        yield from _field_analyzers(one)


def _analyzers_of(one: Mapping[str, Any]) -> Iterator[str]:
    yield from _named_by(one)
    for alternative in (one.get("multi") or {}).values():
        yield from _named_by(alternative)


# ------------------------------------------------------------------ the sort of an index


def _sortable(definition: Mapping[str, Any], found: Found) -> None:
    sort = definition["sort"]
    types = dict(_static_types(definition["mappings"], ""))
    by_score = [name for name, spec in sort.items() if is_document(spec) and spec.get("$meta") is not None]
    unknown = [name for name in sort if name not in types]
    refused = {name: types[name] for name in sort if name in types and not _can_sort(types[name])}
    text = None
    if by_score:
        text = f"Cannot sort on score for fields: [{', '.join(by_score)}]"
    elif unknown:
        text = f"Sort fields: [{', '.join(unknown)}] are not statically defined"
    elif refused:
        listed = ", ".join(f"{name}=[{_constants(names)}]" for name, names in refused.items())
        text = f"Sort fields are not sortable: {{{listed}}}. Sortable types are: [{_constants(SORTABLE)}]"
    if text is not None:
        found.append(bare_problem((None, "sort"), text, "sort"))


def _static_types(document: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, list[str]]]:
    for name, definition in (document.get("fields") or {}).items():
        types = types_of(definition)
        yield prefix + name, [one["type"] for one in types]
        for one in types:
            if one["type"] == "document":
                yield from _static_types(one, f"{prefix}{name}.")


def _can_sort(names: list[str]) -> bool:
    companions = frozenset().union(*(_SORT_COMPANIONS.get(name, frozenset()) for name in names))
    return any(name in SORTABLE for name in names) and all(
        name in SORTABLE or name in companions for name in names
    )


def _constants(names: Any) -> str:
    return ", ".join(sorted(map(constant_name, names)))


# ------------------------------------------------------------------ vector indexes


def check_vector_index(definition: Mapping[str, Any], found: Found) -> None:
    """Append what creation refuses in a sound definition of type `vectorSearch`."""
    fields, root = definition["fields"], definition.get("nestedRoot")
    if root is not None:
        if not any(one["path"] == root or one["path"].startswith(f"{root}.") for one in fields):
            text = f'nestedRoot "{root}" does not match any vector field path in the index definition'
            found.append(bare_problem((None, "nestedRoot"), text, "reference"))
    elif not fields:
        found.append(problem((None, "fields"), "cannot be empty", "empty-list"))
