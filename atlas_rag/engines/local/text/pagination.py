"""Sequence tokens: where a hit stands, as text that `searchAfter` and `searchBefore` take back."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Any

import bson

from atlas_rag.engines.local.refusals import EngineRefusal
from atlas_rag.engines.local.text.ranking import Placed, compare_values
from atlas_rag.engines.local.text.sorting import SortKey


def token_of(place: Placed) -> str:
    """Encodes the place of a hit."""
    fields = {"p": place.partition, "d": place.doc, "s": place.score, "v": list(place.values)}
    return base64.b64encode(bson.encode(fields)).decode()


def page_of(
    placed: Sequence[Placed], body: Mapping[str, Any], keys: Sequence[SortKey], limit: int | None
) -> list[Placed]:
    """Cuts ranked hits to those after (or, nearest first, before) the token that a body names."""
    after, before = body.get("searchAfter"), body.get("searchBefore")
    if after is not None:
        start = _place(placed, after, keys, past=True) if after else len(placed)
        return list(placed[start:][:limit])
    if before is not None:
        end = _place(placed, before, keys, past=False) if before else len(placed)
        return list(reversed(placed[:end]))[:limit]
    return list(placed[:limit])


def _place(placed: Sequence[Placed], token: str, keys: Sequence[SortKey], *, past: bool) -> int:
    """Finds the first hit behind the token's place (`past`), or the first not before it."""
    mark = _decoded(token)
    if len(mark.values) != len(keys):
        raise EngineRefusal("Invalid format for token value")
    for at, place in enumerate(placed):
        order = _compare(place, mark, keys)
        if order > 0 or (order == 0 and not past):
            return at
    return len(placed)


def _compare(one: Placed, other: Placed, keys: Sequence[SortKey]) -> int:
    order = compare_values(one.values, other.values, keys)
    if order == 0 and not keys:
        order = (one.score < other.score) - (one.score > other.score)
    if order == 0:
        left, right = (one.partition, one.doc), (other.partition, other.doc)
        order = (left > right) - (left < right)
    return order


def _decoded(token: str) -> Placed:
    try:
        fields = bson.decode(base64.b64decode(token, validate=True))
        return Placed(int(fields["p"]), int(fields["d"]), float(fields["s"]), list(fields["v"]))
    except (binascii.Error, bson.errors.BSONError, KeyError, ValueError, TypeError):
        raise EngineRefusal("Invalid format for token value") from None
