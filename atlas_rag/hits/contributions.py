"""What the input pipelines of a fusion said about one document, as its `scoreDetails` report it."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.fusion import reciprocal_rank
from atlas_rag.hits.hit import Contribution
from atlas_rag.hits.reply import reported_number
from atlas_rag.hits.score import ScoreKind

Part = tuple[str, ScoreKind, float]
"""Name, raw score kind and weight of one input pipeline."""


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

    def items(self) -> ItemsView[str, Contribution]:
        """Names and contributions, as a dict gives them."""
        return self._read().items()

    def __repr__(self) -> str:
        return repr(self._read())

    def _read(self) -> dict[str, Contribution]:
        if self._known is None:
            entries = self._details.get("details", ()) if isinstance(self._details, Mapping) else ()
            found = {entry.get("inputPipelineName"): entry for entry in entries}
            self._known = {name: _contribution(found.get(name), kind, w) for name, kind, w in self._parts}
        return self._known


def _contribution(entry: Mapping[str, Any] | None, kind: ScoreKind, weight: float) -> Contribution:
    rank = None if entry is None else entry.get("rank")
    if entry is None or isinstance(rank, bool) or not isinstance(rank, (int, float)) or rank < 1:
        return Contribution(None, weight, 0.0, None, kind)
    place = int(rank)
    raw = reported_number(entry.get("value"))
    return Contribution(place, weight, reciprocal_rank(place, weight), raw, kind)
