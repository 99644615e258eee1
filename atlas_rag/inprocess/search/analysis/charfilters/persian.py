"""Persian: a zero-width non-joiner counts as a space."""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.offsets import Origin


def persian(text: str) -> tuple[str, Origin | None]:
    """The text with U+200C replaced; no offset moves."""
    return text.replace("\u200c", " "), None
