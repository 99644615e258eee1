"""What one call asks for, before anything is known of the deployment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from atlas_rag.query.filter import Filter
from atlas_rag.quick_init import quick_init


class Mode(StrEnum):
    """Which kinds of input pipeline answer a question."""

    HYBRID = "hybrid"
    VECTOR = "vector"
    KEYWORD = "keyword"


@dataclass(frozen=True, slots=True, kw_only=True)
class NativeReranker:
    """The deployment's own reranker, `$rerank`, as the last step of the pipeline.

    Args:
        paths: top-level fields whose text is judged; a document that lacks one is judged without it.
        model: such as "rerank-2.5".

    Needs: server 8.3 on Atlas, enabled in the project's settings; a capability probe tells.
    """

    paths: tuple[str, ...] = ("text",)
    model: str = "rerank-2.5"

    @property
    def id(self) -> str:
        """Names the stage and the model, for evidence."""
        return f"$rerank/{self.model}"


@quick_init
@dataclass(frozen=True, slots=True)
class Request:
    """One question.

    Args:
        text: the question; not in `repr`.
        vector: its query vector as BinData, or None where no vector pipeline can run; not in `repr`.
        keywords: None uses the text, an empty tuple means no keyword search.
        mode: what is asked for; what is executed may differ, and the plan says why.
        filter: what this question may find.
        store_filter: what any question may find; always first, cannot be widened.
        limit: hits returned, ≥ 1.
        skip: hits passed over, ≥ 0.
        depth: documents that each input pipeline contributes; None chooses at least 10 × (limit + skip).
        num_candidates: neighbours visited by an approximate search; None chooses 20 × depth, at most 10 000.
        reject_window: candidates fetched beyond the hits, to show what was rejected, ≥ 0.
        window: fetch this many from the first on and cut here, as a reranker needs; None cuts on the server.
        postfilter: what a search cannot filter by; applied to its results, with more of them asked for.
        rerank: order the window by the deployment's own reranker.
        weights: by input pipeline name, finite, ≥ 0; omitted means 1.
        ignore_idle_weights: False refuses weights in a mode that fuses nothing.
        prefer_hybrid_search: False answers a hybrid request with the vector pipelines.
        require_hybrid_search: True refuses (7203) where the collection cannot do keyword search.
        max_candidates: the most documents one call may ask a pipeline for.
    """

    text: str | None = field(default=None, repr=False)
    vector: Any = field(default=None, repr=False)
    keywords: tuple[str, ...] | None = field(default=None, repr=False)
    mode: Mode = Mode.HYBRID
    filter: Filter | None = None
    store_filter: Filter | None = None
    limit: int = 5
    skip: int = 0
    depth: int | None = None
    num_candidates: int | None = None
    reject_window: int = 10
    window: int | None = None
    postfilter: Filter | None = None
    rerank: NativeReranker | None = None
    weights: Mapping[str, float] | None = None
    ignore_idle_weights: bool = False
    prefer_hybrid_search: bool = True
    require_hybrid_search: bool = False
    max_candidates: int = 4096

    @property
    def fetched(self) -> int:
        """Documents asked for from the first on, skipped ones included."""
        return self.window if self.window is not None else self.limit + self.skip + self.reject_window

    @property
    def keyword_text(self) -> str:
        """What a keyword pipeline looks for: the keywords, else the text; may be empty."""
        words = (self.text or "",) if self.keywords is None else self.keywords
        return " ".join([word for word in words if word.strip()])
