"""Rules that need the index: a sound query against sound definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.check.index.entry import IndexEntry, choose, read_index
from atlas_rag.check.index.options import search_findings
from atlas_rag.check.index.vectors import vector_findings
from atlas_rag.check.report import ENGINE_CODE, Finding, Severity

DEFAULT_INDEX = "default"


def index_findings(
    stage: str, body: Mapping[str, Any], indexes: Sequence[IndexEntry], at: str, *, alone: bool
) -> Iterator[Finding]:
    """Findings of the sound body of a search stage against the index that it names.

    Args:
        stage: name of the stage, with the dollar.
        body: its body.
        indexes: the indexes that are known.
        at: place of the body.
        alone: whether it is the only search stage, so that a single unnamed index must be meant.
    """
    vector = stage == "$vectorSearch"
    name = body.get("index") or DEFAULT_INDEX
    index = choose(indexes, name, vector=vector, any_type=alone)
    place = f"{at}.index" if at else "index"
    if index is None and any(one.name is None for one in indexes):
        return
    if index is None:
        text = f"returns nothing because no given index is named '{name}': a missing index is no error"
        yield Finding(place, text, "index-missing", Severity.WARNING)
    elif index.vector != vector:
        kind = "search" if vector else "vector search"
        text = f"Cannot execute {stage} over {kind} index '{name}'"
        yield Finding(place, text, "index-type", codes=ENGINE_CODE)
    elif vector:
        yield from vector_findings(body, index.definition, at)
    else:
        yield from search_findings(body, index.definition, at)


__all__ = ["IndexEntry", "index_findings", "read_index"]
