"""What a tier allows, known before anything is started."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import CallError, Code, SearchIndexError
from atlas_rag.indexes.desired.wanted import WantedIndex


@dataclass(frozen=True, slots=True)
class Tier:
    """Limits of a deployment tier. Source: MongoDB documentation, Atlas Search limits.

    Args:
        indexes: search and vector indexes of the whole deployment.
        definition_bytes: of one definition as JSON, or None for no limit.
        fields: that one definition may map, or None. synonyms: mappings of one definition, or None.
    """

    name: str
    indexes: int
    definition_bytes: int | None = None
    fields: int | None = None
    synonyms: int | None = None


TIERS = {
    tier.name: tier
    for tier in (
        Tier("free", 3, 3_000, 300, 1),
        Tier("flex", 10, 3_000, 300, 1),
        Tier("dedicated", 2_500),
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
        _check_definition(limits, index)


def _check_definition(limits: Tier, index: WantedIndex) -> None:
    definition = index.to_dict()["definition"]
    sizes = (
        ("bytes", len(json.dumps(definition).encode()), limits.definition_bytes),
        ("fields", _count_fields(definition), limits.fields),
        ("synonym mappings", len(definition.get("synonyms") or ()), limits.synonyms),
    )
    for what, size, most in sizes:
        if most is not None and size > most:
            raise SearchIndexError(
                f"The definition of {index.name!r} has {size} {what}",
                expected=f"at most {most} on the {limits.name} tier",
                next_step="map fewer fields, or move to a larger tier; nothing was changed",
                code=Code.INDEX_QUOTA,
            )


def _count_fields(definition: Mapping[str, Any]) -> int:
    fields = definition.get("fields") or definition.get("mappings", {}).get("fields") or {}
    if not isinstance(fields, Mapping):
        return len(fields)
    kinds = [one for value in fields.values() for one in (value if isinstance(value, list) else [value])]
    return len(kinds) + sum(_count_fields(one) for one in kinds if one.get("fields"))
