"""Filter literals as the wire carries them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from bson.binary import Binary

from atlas_rag.query.values import Value


def wire(value: Value | tuple[Value, ...]) -> Any:
    """The literal as BSON: a UUID is always subtype 4, whatever the client's uuidRepresentation."""
    if isinstance(value, tuple):
        return [Binary.from_uuid(item) if isinstance(item, UUID) else item for item in value]
    return Binary.from_uuid(value) if isinstance(value, UUID) else value
