"""What a retrieval returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from html import escape
from typing import Any, Generic

from atlas_rag.hits import Evidence, Hit
from atlas_rag.hits.document import Document
from atlas_rag.hits.evidence import WORDS
from atlas_rag.hits.hit import as_json
from atlas_rag.plan import Plan
from atlas_rag.query.options import RetrievalOptions


@dataclass(frozen=True)
class Result(Generic[Document]):
    """Hits in order, with the plan that found them and the evidence of what else was considered.

    `plan` is None where nothing was searched. `options` are those that held for the call.
    """

    hits: tuple[Hit[Document], ...]
    plan: Plan | None = field(repr=False)
    recorded: Callable[[], Evidence] = field(repr=False, compare=False)
    """Makes the evidence."""
    options: RetrievalOptions = field(repr=False)
    rejected: tuple[Hit[Any], ...] = field(default=(), repr=False)
    facets: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """Buckets by the name of the facet, as `$searchMeta` gives them; empty unless asked for."""
    count: int | None = None
    """How many documents the words find under the filter; None unless asked for."""

    @cached_property
    def evidence(self) -> Evidence:
        """What was considered, and why what was not admitted was not; made when it is first read."""
        return self.recorded()

    @property
    def search_after(self) -> str | None:
        """What the next page is asked with, where this one was asked by token; None behind the last hit."""
        return self.hits[-1].token if self.hits else None

    @property
    def why_empty(self) -> str | None:
        """Why there is no hit, in words for a person, with whatever else went otherwise than asked."""
        reason = self.evidence.empty_reason
        if reason is None:
            return None
        return "; ".join((WORDS[reason], *self.evidence.notes))

    def __repr__(self) -> str:
        if self.hits:
            kind = self.hits[0].score.kind.value if self.hits[0].score else "unscored"
            return f"Result({len(self.hits)} hits, {kind})"
        return f"Result(no hits: {self.evidence.empty_reason})"

    def to_dict(self) -> dict[str, Any]:
        """Hits and evidence as JSON; documents in relaxed Extended JSON."""
        return {
            "hits": [hit.to_dict() for hit in self.hits],
            **({"facets": as_json(dict(self.facets))} if self.facets else {}),
            **({} if self.count is None else {"count": self.count}),
            "why_empty": self.why_empty,
            "evidence": self.evidence.model_dump(mode="json"),
        }

    def _repr_html_(self) -> str:
        """A table for notebooks: rank, `_id`, score and the ranks in each input pipeline."""
        if not self.hits:
            return f"<p>{escape(repr(self))}: {escape(self.why_empty or '')}</p>"
        names = list(self.hits[0].contributions)
        head = "".join(f"<th>{escape(one)}</th>" for one in ("rank", "_id", "score", *names))
        return f"<table><tr>{head}</tr>{''.join(_row(hit, names) for hit in self.hits)}</table>"

    def __getstate__(self) -> dict[str, Any]:
        evidence = self.evidence
        return {**vars(self), "recorded": partial(_known, evidence)}

    def __iter__(self) -> Iterator[Hit[Document]]:
        return iter(self.hits)

    def __len__(self) -> int:
        return len(self.hits)

    def __getitem__(self, position: int) -> Hit[Document]:
        return self.hits[position]


def _row(hit: Hit, names: list[str]) -> str:
    score = "unscored" if hit.score is None else f"{hit.score:.4f} {hit.score.kind.value}"
    ranks = ("" if hit.ranks.get(name) is None else str(hit.ranks[name]) for name in names)
    cells = (str(hit.rank), str(hit.id), score, *ranks)
    return f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>"


def _known(evidence: Evidence) -> Evidence:
    return evidence
