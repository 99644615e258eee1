"""The order of document ids in which the server breaks ties of fused scores.

Source: the server sorts fused rows by score descending, then `_id` ascending in BSON comparison order:
numbers before strings before ObjectIds; strings by their UTF-8 bytes, which is the order of their code points.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from bson import ObjectId

from atlas_rag.errors import ExperimentError

DocumentId: TypeAlias = int | float | str | ObjectId

_BRACKETS: tuple[tuple[tuple[type, ...], int], ...] = (((int, float), 1), ((str,), 2), ((ObjectId,), 3))


def order_key(document: DocumentId) -> tuple[int, Any]:
    """A sort key in the server's order.

    Raises:
        ExperimentError: an id of another type (7602): store such documents under a number, string or ObjectId.
    """
    if not isinstance(document, bool):
        for types, bracket in _BRACKETS:
            if isinstance(document, types):
                return bracket, document
    raise ExperimentError(
        f"a document id of type {type(document).__name__} cannot be ordered here",
        expected="an integer, float, string or ObjectId",
        next_step="tune on a collection whose _id is one of these",
    )
