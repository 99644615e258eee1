"""What the input pipelines of a fusion said about one document, as its `scoreDetails` report it."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from atlas_rag import fusion as arithmetic
from atlas_rag.hits.reply import reported_number
from atlas_rag.hits.score import Score, ScoreKind

Part = tuple[str, ScoreKind, float]
"""Name, raw score kind and weight of one input pipeline."""


class Contribution(NamedTuple):
    """What one input pipeline said about a document.

    Args:
        rank: 1-based competition rank there, or None where the pipeline did not return the document, or the
            fusion is not by ranks.
        weight: the pipeline's weight in the fusion.
        value: what was added to the fused score; 0 where the rank is None.
        raw: the pipeline's own raw score, or None where it was not reported; kind: what it measures.
    """

    rank: int | None
    weight: float
    value: float
    raw: float | None
    kind: ScoreKind

    @property
    def found(self) -> bool:
        """Whether the pipeline returned the document."""
        return self.rank is not None or self.raw is not None

    @property
    def score(self) -> Score | None:
        """The raw score as a value of its kind, or None."""
        return None if self.raw is None else Score(self.raw, self.kind)


class Contributions(Mapping[str, Contribution]):
    """By input pipeline, in name order; read off the details when first asked for, which few callers do.

    A pipeline without the document appears with rank "NA" on new servers, 0 on older ones, or not at all;
    all three become a rank of None.

    Args:
        details: `{$meta: "scoreDetails"}` of the document, or None.
        parts: the input pipelines that ran, in name order.
    """

    __slots__ = ("_details", "_known", "_parts")

    def __init__(self, details: Any, parts: Sequence[Part]) -> None:
        self._details = details
        self._parts = parts
        self._known: dict[str, Contribution] | None = None

    def __getitem__(self, name: str) -> Contribution:
        return self._read()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._read())

    def __len__(self) -> int:
        return len(self._parts)

    def __repr__(self) -> str:
        return repr(self._read())

    def items(self) -> ItemsView[str, Contribution]:
        """Names and contributions, as a dict gives them."""
        return self._read().items()

    def ranks(self) -> dict[str, int | None]:
        """The ranks alone, which is all that evidence wants."""
        ranks: dict[str, int | None] = {name: None for name, _, _ in self._parts}
        for entry in self._reported():
            name = entry.get("inputPipelineName")
            if name in ranks:
                ranks[name] = _rank(entry.get("rank"))
        return ranks

    def _read(self) -> dict[str, Contribution]:
        if self._known is None:
            found = {entry.get("inputPipelineName"): entry for entry in self._reported()}
            self._known = {name: _said(found.get(name, {}), kind, w) for name, kind, w in self._parts}
        return self._known

    def _reported(self) -> Sequence[Mapping[str, Any]]:
        details = self._details
        return details.get("details", ()) if isinstance(details, (dict, Mapping)) else ()


def _said(entry: Mapping[str, Any], kind: ScoreKind, weight: float) -> Contribution:
    if "inputPipelineRawScore" in entry:
        return _scored(entry, kind, weight)
    rank = _rank(entry.get("rank"))
    if rank is None:
        return Contribution(None, weight, 0.0, None, kind)
    raw = reported_number(entry.get("value"))
    return Contribution(rank, weight, arithmetic.reciprocal_rank(rank, weight), raw, kind)


def _scored(entry: Mapping[str, Any], kind: ScoreKind, weight: float) -> Contribution:
    """Of a fusion by scores, which reports a score of 0 for a pipeline that does not have the document."""
    raw = reported_number(entry["inputPipelineRawScore"])
    if not raw:
        return Contribution(None, weight, 0.0, None, kind)
    return Contribution(None, weight, reported_number(entry.get("value")) or 0.0, raw, kind)


def _rank(reported: Any) -> int | None:
    if type(reported) is int:  # as most servers say it
        return reported if reported >= 1 else None
    if isinstance(reported, bool) or not isinstance(reported, (int, float)) or not reported >= 1:
        return None
    return int(reported)
