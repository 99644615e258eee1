"""Which server release each search stage, option and operator needs: the one table of it.

Source: MongoDB manual and driver specifications; where they disagree the earlier release is taken, because a
deployment is asked by trying anyway. Patch releases are not told apart.
"""

from __future__ import annotations

from collections.abc import Mapping

Release = tuple[int, int]

STAGES: Mapping[str, Release] = {
    "$listSearchIndexes": (6, 0),
    "$rankFusion": (8, 0),
    "$rerank": (8, 3),
    "$score": (8, 2),
    "$scoreFusion": (8, 2),
    "$search": (5, 0),
    "$searchMeta": (5, 0),
    "$vectorSearch": (6, 0),
}
"""First release with a stage."""

OPTIONS: Mapping[str, Mapping[str, Release]] = {
    "$search": {"returnScope": (8, 2), "searchAfter": (6, 0), "searchBefore": (6, 0)},
    "$searchMeta": {"returnScope": (8, 2)},
    "$vectorSearch": {"model": (8, 2), "query": (8, 2), "returnStoredSource": (8, 2)},
}
"""First release with an option of a stage."""

KEYS: Mapping[str, Release] = {
    "$minMaxScaler": (8, 2),
    "$sigmoid": (8, 1),
    "hasAncestor": (8, 2),
    "hasRoot": (8, 2),
}
"""First release with an operator, wherever it stands."""

SCORE_META: Release = (8, 1)
"""First release with `{$meta: "score"}` and `scoreDetails`."""

WITHIN: Mapping[tuple[str, str], Release] = {
    ("$vectorSearch", "$lookup"): (9, 0),
    ("$vectorSearch", "$unionWith"): (8, 0),
    **{
        (fusion, host): (8, 1)
        for fusion in ("$rankFusion", "$scoreFusion")
        for host in ("$lookup", "$unionWith")
    },
}
"""First release with a stage inside another one's pipeline."""

OLDEST: Release = (6, 0)
"""The oldest series that the SDK speaks to."""


def needed(name: str) -> Release:
    """The lowest series that the SDK needs for a stage or an operator."""
    return max(OLDEST, STAGES.get(name) or KEYS.get(name, OLDEST))
