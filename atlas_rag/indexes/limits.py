"""What a tier allows, known before anything is started."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from atlas_rag.errors import CallError, Code, SearchIndexError
from atlas_rag.indexes.wanted import WantedIndex


@dataclass(frozen=True, slots=True)
class Tier:
    """Limits of a deployment tier. Source: MongoDB documentation, Atlas Search limits.

    Args:
        indexes: search and vector indexes of the whole deployment.
        definition_bytes: of one definition as JSON, or None for no limit.
    """

    name: str
    indexes: int
    definition_bytes: int | None


TIERS = {
    tier.name: tier
    for tier in (
        Tier("free", 3, 3_000),
        Tier("flex", 10, 3_000),
        Tier("dedicated", 2_500, None),
    )
}


def tier(name: str) -> Tier:
    """The tier of this name. Raises `CallError` INVALID_OPTION."""
    if name not in TIERS:
        raise CallError(f"There is no tier {name!r}", expected=f"one of {', '.join(TIERS)}")
    return TIERS[name]


def check_limits(
    limits: Tier, present: int, created: Sequence[WantedIndex], wanted: Sequence[WantedIndex]
) -> None:
    """Refuses a plan that would run into the tier's limits half way.

    Args:
        present: search indexes that are there already. created: those the plan would add.

    Raises:
        SearchIndexError: INDEX_QUOTA.
    """
    total = present + len(created)
    if created and total > limits.indexes:
        raise SearchIndexError(
            f"{present} indexes are there and {len(created)} more are wanted",
            expected=f"at most {limits.indexes} on the {limits.name} tier",
            next_step="drop an index, or move to a larger tier; nothing was changed",
            code=Code.INDEX_QUOTA,
        )
    for index in wanted:
        size = len(json.dumps(index.to_dict()["definition"]).encode())
        if limits.definition_bytes is not None and size > limits.definition_bytes:
            raise SearchIndexError(
                f"The definition of {index.name!r} has {size} bytes",
                expected=f"at most {limits.definition_bytes} on the {limits.name} tier",
                next_step="map fewer fields, or move to a larger tier; nothing was changed",
                code=Code.INDEX_QUOTA,
            )
