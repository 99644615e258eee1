"""A hit as frameworks carry it: a text and metadata."""

from __future__ import annotations

from typing import Any

from atlas_rag.hits import Hit

OWN = ("score", "kind", "rank", "ranks")
"""Metadata that every hit gets; a document's field of one of these names becomes `document_<name>`."""


def text_of(hit: Hit, path: str) -> str:
    """The text at a dotted path; "" where the document has none there."""
    value = hit.value_at(path)
    return value if isinstance(value, str) else ""


def metadata_of(hit: Hit, path: str) -> dict[str, Any]:
    """The document's other fields, and what the search said of it.

    `score` is None for an unscored hit, never 0. `kind` names its scale. `ranks` are those in the input
    pipelines of a fusion, None where one did not return the document.
    """
    fields = {
        f"document_{name}" if name in OWN else name: value
        for name, value in hit.fields.items()
        if name not in ("_id", path)
    }
    said = {
        "score": None if hit.score is None else hit.score.value,
        "kind": None if hit.score is None else hit.score.kind.value,
        "rank": hit.rank,
        "ranks": dict(hit.ranks),
    }
    return {**fields, **said}
