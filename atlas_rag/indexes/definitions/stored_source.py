"""`storedSource`: which fields an index keeps, to answer without looking documents up."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from atlas_rag.indexes.definitions.part import Name, Part


class StoredSource(Part):
    """Some fields of a document; exactly one of the two, no path above another.

    Args:
        include: paths to keep; `_id` always is.
        exclude: paths to leave out.
    """

    include: Annotated[tuple[Name, ...], Field(min_length=1)] | None = None
    exclude: Annotated[tuple[Name, ...], Field(min_length=1)] | None = None
