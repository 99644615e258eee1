"""Options of `$search` against its index: sort, highlight, facets, stored source, scope."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from atlas_rag.check.index.fields import Mapped, SearchFields
from atlas_rag.check.index.operators import OperatorRules, refused, silent
from atlas_rag.check.report import Finding, Severity
from atlas_rag.grammar.field_types import FIELD_TYPES, SORTABLE
from atlas_rag.grammar.kit import is_array, is_document, is_string
from atlas_rag.grammar.operators.nesting import given_operators

_FACET_TYPES: Final = {
    facet: tuple(
        one.name for one in sorted(FIELD_TYPES.values(), key=lambda one: one.deprecated) if one.facet == facet
    )
    for facet in ("date", "number", "string")
}
"""The field types that each facet counts, deprecated ones last."""


def search_findings(body: Mapping[str, Any], definition: Mapping[str, Any], at: str) -> Iterator[Finding]:
    """Findings of a sound `$search` or `$searchMeta` body against a sound search index definition."""
    fields = SearchFields(definition)
    rules = OperatorRules(fields)
    scope = body.get("returnScope")
    level = scope["path"] if scope is not None else ""
    facet = body.get("facet")
    searched, place = (body, at) if facet is None else (facet.get("operator") or {}, f"{at}.facet.operator")
    for name in given_operators(searched):
        yield from rules.check(name, searched[name], f"{place}.{name}", level)
    if facet is not None:
        yield from _facets(facet["facets"], fields, f"{at}.facet.facets")
    yield from _sort(body, fields, at)
    yield from _highlight(body.get("highlight"), fields, f"{at}.highlight")
    yield from _stored_source(body, definition, at)
    yield from _scope(level, fields, at)


def _sort(body: Mapping[str, Any], fields: SearchFields, at: str) -> Iterator[Finding]:
    for key in ("sort", "sortBetaV1"):
        for name, spec in (body.get(key) or {}).items():
            if is_document(spec) and spec.get("$meta") is not None:
                continue
            mapped = fields.at(name)
            if not mapped.types:
                yield refused(f"{at}.{key}.{name}", f"{name} is not indexed as sortable", "sort")
            elif mapped.types.keys().isdisjoint(SORTABLE):
                types = ", ".join(sorted(mapped.types))
                text = f"sorts every document as missing because '{name}' is indexed as {types} only"
                advice = f'map "{name}" as token too' if "string" in mapped else None
                yield Finding(f"{at}.{key}.{name}", text, "sort", Severity.WARNING, suggestion=advice)


def _facets(facets: Mapping[str, Any], fields: SearchFields, at: str) -> Iterator[Finding]:
    for name, facet in facets.items():
        wanted = _FACET_TYPES[facet["type"]]
        if not set(wanted) & fields.at(facet["path"]).types.keys():
            text = (
                f'Cannot facet on field "{facet["path"]}" "" because it was not indexed as a '
                f'"{wanted[0]}" field.'
            )
            yield refused(f"{at}.{name}.path", text, "index-type")


def _highlight(highlight: Any, fields: SearchFields, at: str) -> Iterator[Finding]:
    if highlight is None:
        return
    paths = highlight["path"]
    for path in paths if is_array(paths) else [paths]:
        if not is_string(path):
            continue
        mapped = fields.at(path)
        if not _can_highlight(mapped):
            text = f"Highlights cannot be generated. Path: {path}"
            advice = f'"{path}" must be indexed as string with store: true'
            yield refused(f"{at}.path", text, "highlight", advice)


def _can_highlight(mapped: Mapped) -> bool:
    string = mapped.types.get("string")
    stored = string is not None and string.get("store") is not False
    return stored or "autocomplete" in mapped


def _stored_source(body: Mapping[str, Any], definition: Mapping[str, Any], at: str) -> Iterator[Finding]:
    if body.get("returnStoredSource") is True and not definition.get("storedSource"):
        text = "storedSource is not configured for this index."
        yield refused(f"{at}.returnStoredSource", text, "stored-source")


def _scope(level: str, fields: SearchFields, at: str) -> Iterator[Finding]:
    if level and "embeddedDocuments" not in fields.at(level):
        reason = f"path '{level}' is not indexed as embeddedDocuments"
        yield silent(f"{at}.returnScope.path", reason, "not-mapped")
