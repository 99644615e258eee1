"""Analysed text: `string` with its `multi` alternatives, and `autocomplete`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.inprocess.search.analysis import Analyzer, Registry
from atlas_rag.inprocess.search.search_index.names import Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.similarity import (
    SIMILARITIES,
    WITHOUT_NORMS,
    Similarity,
)
from atlas_rag.inprocess.search.search_index.storage.terms import Options

MAX_TERM_BYTES = 32766
"""Longer terms are not indexed (Lucene's limit)."""

_KEPT = {
    "docs": Options(lengths=True),
    "freqs": Options(frequencies=True, lengths=True),
    "positions": Options(frequencies=True, positions=True, lengths=True),
    "offsets": Options(frequencies=True, positions=True, lengths=True),
}


@dataclass(frozen=True, slots=True)
class Analyzers:
    """Analyzer names an index falls back on."""

    registry: Registry
    index: str | None
    search: str | None


@dataclass(slots=True)
class StringField:
    """The `string` type (or one of its `multi` alternatives)."""

    name: str
    path: str
    analyzer: Analyzer
    search_analyzer: Analyzer
    options: Options
    similarity: Similarity
    stored: bool
    multi: dict[str, StringField] = field(default_factory=dict)
    accepts: tuple[type, ...] = (str,)

    @property
    def is_keyword(self) -> bool:
        """Whether the stock keyword analyzer indexes the field."""
        return self.analyzer.name == "lucene.keyword"

    def index(self, partition: Partition, doc: int, value: str, *, single: bool) -> None:
        buffer = partition.term_field(self.name, self.options, self.similarity).buffer
        pieces = self.analyzer.pieces(value)
        if pieces is not None:
            buffer.add_pieces(doc, pieces, self.analyzer)
        else:
            terms, positions, end = self.analyzer.placed(value)
            if len(value) > MAX_TERM_BYTES // 4:
                terms, positions = _without_long_terms(terms, positions)
            buffer.add(doc, terms, positions, end)
        for other in self.multi.values():
            other.index(partition, doc, value, single=single)


def _without_long_terms(terms: list[str], positions: list[int]) -> tuple[list[str], list[int]]:
    kept = [pair for pair in zip(terms, positions, strict=True) if len(pair[0].encode()) <= MAX_TERM_BYTES]
    return [term for term, _ in kept], [position for _, position in kept]


def string_field(spec: Mapping[str, Any], scope: Scope, path: str, analyzers: Analyzers) -> StringField:
    """Reads a `string` mapping."""
    made = _plain_string(spec, scope.field("string", path), path, analyzers)
    for name, other in (spec.get("multi") or {}).items():
        made.multi[name] = _plain_string(other, scope.multi(path, name), path, analyzers)
    return made


def _plain_string(spec: Mapping[str, Any], name: str, path: str, analyzers: Analyzers) -> StringField:
    own = spec.get("analyzer")
    indexing = own or analyzers.index or "lucene.standard"
    searching = spec.get("searchAnalyzer") or own or analyzers.search or analyzers.index or "lucene.standard"
    return StringField(
        name=name,
        path=path,
        analyzer=analyzers.registry.get(indexing),
        search_analyzer=analyzers.registry.get(searching),
        options=_KEPT[spec.get("indexOptions") or "offsets"],
        similarity=similarity_of(spec, has_norms=spec.get("norms") != "omit"),
        stored=spec.get("store") is not False,
    )


def similarity_of(spec: Mapping[str, Any], *, has_norms: bool = True) -> Similarity:
    """Reads the `similarity` option of a mapping."""
    kind = (spec.get("similarity") or {}).get("type", "bm25")
    bare = f"{kind}{WITHOUT_NORMS}"
    return SIMILARITIES[bare if not has_norms and bare in SIMILARITIES else kind]
