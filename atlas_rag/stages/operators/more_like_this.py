"""`moreLikeThis`: documents like given ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import invalid, spelled_class


def _documents(value: Any, name: str) -> None:
    several = value if isinstance(value, tuple) else (value,)
    if not several or not all(isinstance(one, Mapping) for one in several):
        raise invalid(f"{name} is not documents", "a document or a non-empty tuple of them")


@spelled_class
class MoreLikeThis(Operator):
    """Matches documents that share the most telling terms of the given ones.

    At most 25 terms are taken, none that stands in fewer than 2 documents. The given documents match
    themselves: leave them out with `must_not` where they are stored.

    Args:
        like: one document or several; only their string fields count.
        score: boost or replace the relevance.

    Needs: the documents' fields mapped as `string`.
    Source: MongoDB documentation, moreLikeThis; Lucene's MoreLikeThis.
    """

    label: ClassVar[str] = "moreLikeThis"

    like: Annotated[Mapping[str, Any] | tuple[Mapping[str, Any], ...], _documents]
    score: ScoreField = None
