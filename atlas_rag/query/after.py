"""What becomes of hits after they have their final scores, as values."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from atlas_rag.query.checked import Options, number, option, optional, refuse, whole


def field_path(place: str, path: Any) -> str:
    """The path as it is, if it leads through plain field names.

    Args:
        place: what it is the path of, such as "Collapse.by".

    Raises:
        CallError: INVALID_OPTION.
    """
    parts = path.split(".") if isinstance(path, str) else [""]
    if any(not part or part.startswith("$") or "\0" in part for part in parts):
        raise refuse(place, path, "a dotted field path", "name the field")
    return str(path)


class Collapse(Options):
    """Groups chunks to documents: only the best of each group stay.

    Acts on finally scored hits that reach the thresholds, before skip and limit. A hit without a value at
    `by` (or with null there) is a group of its own.

    Args:
        by: dotted path of what the chunks of one document share, such as "doc_id".
        keep: hits that stay of each group, ≥ 1; default 1.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of Collapse"

    by: str = option(field_path)
    keep: int = option(whole(1), default=1)

    def __str__(self) -> str:
        return f"by {self.by}, keep {self.keep}"


class Diversify(Options):
    """Maximal marginal relevance: each next hit is good, and unlike those before it.

    Acts on finally scored hits, after thresholds and collapse, before skip and limit; scores stay as they
    are, so that they no longer fall from hit to hit.

    Formula: next = argmax over hits d not yet taken of
    λ · relevance(d) − (1 − λ) · max over hits s taken of cosine(d, s), where relevance is the final score
    scaled to 0…1 over the hits (all equal: 1; unscored: 0), and the second term is 0 for the first hit.
    Cosines count to 12 decimals; of equal values the hit that was ranked first is taken. A hit without a
    usable vector is like no other (cosine 0). Vectors of bits count as ±1.

    Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
    Producing Summaries", SIGIR 1998.

    Args:
        relevance: λ, 0…1: 1 keeps the order as it was, 0 looks for difference alone; default 0.5.
        path: dotted path of the stored vectors; default that of the retriever's vector inputs. They are
            fetched in one further request, and are in no hit.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of Diversify"

    relevance: float = option(number(lambda value: 0 <= value <= 1, "a number from 0 to 1"), default=0.5)
    path: str | None = option(optional(field_path), default=None)

    def __str__(self) -> str:
        return f"relevance {self.relevance:g}"


class Neighbours(Options):
    """Brings the chunks that stand beside each hit in its document: `hit.neighbours`, in reading order.

    One further request, under the same store filter and filter: what they keep out is no neighbour either.

    Args:
        by: dotted path of what the chunks of one document share, such as "doc_id".
        position: dotted path of a chunk's whole number within its document, such as "chunk".
        before, after: chunks on either side, 0 to 100; default 1.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of Neighbours"

    by: str = option(field_path)
    position: str = option(field_path)
    before: int = option(whole(0, 100), default=1)
    after: int = option(whole(0, 100), default=1)


class Recency(Options):
    """Lifts what is new: the order of the candidates, computed here; scores stay what the search said.

    Acts on finally scored hits, after thresholds and collapse, before skip and limit.

    Formula: by relevance + weight · 2^(−age / half_life), the largest first, where relevance is the final
    score scaled to 0…1 over the candidates (all equal: 1; unscored: 0) and age is 0 for a date to come.
    A hit without a date at `path` is not lifted.

    Args:
        path: dotted path of a date.
        half_life: days after which half of the lift is left, > 0.
        weight: the lift of what is of this moment, > 0; default 0.5, half the way from the worst to the best.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of Recency"

    path: str = option(field_path)
    half_life: float = option(number(lambda value: 0 < value < math.inf, "days, more than 0"))
    weight: float = option(number(lambda value: 0 < value < math.inf, "a finite number above 0"), default=0.5)

    def __str__(self) -> str:
        return f"{self.path}, half-life {self.half_life:g} days, weight {self.weight:g}"


class Boost(Options):
    """Lifts what has much of something, such as votes: the order of the candidates, computed here.

    Formula: by relevance + weight · v / (v + pivot), as `Recency` does it; v is the number at `path`. What is
    no number above 0 is not lifted. Several lifts add up.

    Args:
        path: dotted path of a number.
        pivot: the number at which half of the lift is reached, > 0.
        weight: the lift of an endless number, > 0; default 0.5.

    Raises:
        CallError: INVALID_OPTION.
    """

    what: ClassVar[str] = "argument of Boost"

    path: str = option(field_path)
    pivot: float = option(number(lambda value: 0 < value < math.inf, "a finite number above 0"))
    weight: float = option(number(lambda value: 0 < value < math.inf, "a finite number above 0"), default=0.5)

    def __str__(self) -> str:
        return f"{self.path}, pivot {self.pivot:g}, weight {self.weight:g}"
