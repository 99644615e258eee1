"""What a search index definition says about a path."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from atlas_rag.grammar.definitions.mappings import types_of
from atlas_rag.grammar.field_types import DYNAMIC
from atlas_rag.grammar.kit import is_document

DEFAULT_ANALYZER: Final = "lucene.standard"

DYNAMIC_TYPES: Final = tuple(sorted((*DYNAMIC, "document")))
"""What `dynamic: true` indexes: never token, autocomplete, geo, vector, embeddedDocuments."""


@dataclass(frozen=True, slots=True)
class Mapped:
    """What is indexed at one path.

    Args:
        types: type definitions by type name; empty where nothing is indexed.
        level: the innermost `embeddedDocuments` path around it; empty at the root.
        static: whether the path is defined itself, and not by `dynamic`.
    """

    types: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    level: str = ""
    static: bool = False

    def __contains__(self, name: str) -> bool:
        return name in self.types


class SearchFields:
    """The fields of a sound search index definition."""

    def __init__(self, definition: Mapping[str, Any]) -> None:
        self.definition = definition
        self._type_sets = {one["name"]: one["types"] for one in definition.get("typeSets") or ()}

    def at(self, path: str) -> Mapped:
        """What is indexed at a path, statically or dynamically."""
        return self._inside(self.definition["mappings"], path, "", "")

    def _inside(self, document: Mapping[str, Any], rest: str, prefix: str, level: str) -> Mapped:
        fields = document.get("fields") or {}
        if rest in fields:
            return Mapped({one["type"]: one for one in types_of(fields[rest])}, level, static=True)
        for name, definition in fields.items():
            if rest.startswith(f"{name}."):
                below = rest.removeprefix(f"{name}.")
                return self._below(types_of(definition), below, f"{prefix}{name}", level)
        return Mapped(self._dynamic(document.get("dynamic")), level)

    def _below(self, types: list[Mapping[str, Any]], rest: str, path: str, level: str) -> Mapped:
        best = Mapped(level=level)
        for one in types:
            if one["type"] in ("document", "embeddedDocuments"):
                inner = path if one["type"] == "embeddedDocuments" else level
                found = self._inside(one, rest, f"{path}.", inner)
                best = found if found.types and not best.types else best
        return best

    def _dynamic(self, dynamic: Any) -> dict[str, Mapping[str, Any]]:
        if is_document(dynamic):
            return {one["type"]: one for one in self._type_sets.get(dynamic["typeSet"], ())}
        return {name: {"type": name} for name in DYNAMIC_TYPES} if dynamic is True else {}

    def names(self) -> list[str]:
        """Every statically defined path, for suggestions."""
        return list(_names(self.definition["mappings"], ""))

    def search_analyzer(self, string: Mapping[str, Any]) -> str:
        """The analyzer that queries of a string field go through."""
        for holder, key in (
            (string, "searchAnalyzer"),
            (string, "analyzer"),
            (self.definition, "searchAnalyzer"),
            (self.definition, "analyzer"),
        ):
            if holder.get(key) is not None:
                return str(holder[key])
        return DEFAULT_ANALYZER

    def index_analyzer(self, string: Mapping[str, Any]) -> str:
        """The analyzer that a string field is indexed with."""
        return str(string.get("analyzer") or self.definition.get("analyzer") or DEFAULT_ANALYZER)


def _names(document: Mapping[str, Any], prefix: str) -> Iterator[str]:
    for name, definition in (document.get("fields") or {}).items():
        yield prefix + name
        for one in types_of(definition):
            yield from _names(one, f"{prefix}{name}.")
