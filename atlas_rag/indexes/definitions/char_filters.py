"""Character filters: what happens to text before it is cut into tokens.

Source: MongoDB documentation, custom analyzers; bounds and defaults were measured on the engine.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from atlas_rag.indexes.definitions.part import Part, RawPart, Text, kind_by_type


class HtmlStrip(Part):
    """Removes HTML tags.

    Args:
        ignored_tags: names of tags to keep, distinct; default none.
    """

    type: Literal["htmlStrip"] = "htmlStrip"
    ignored_tags: tuple[Text, ...] | None = None


class IcuNormalize(Part):
    """Normalizes to Unicode NFKC with case folding."""

    type: Literal["icuNormalize"] = "icuNormalize"


class CharMapping(Part):
    """Replaces runs of characters, the longest first.

    Args:
        mappings: what by what, at least one.
    """

    type: Literal["mapping"] = "mapping"
    mappings: Annotated[dict[str, Text], Field(min_length=1)]


class PersianCharFilter(Part):
    """Turns zero-width non-joiners into spaces."""

    type: Literal["persian"] = "persian"


CharFilter: TypeAlias = Annotated[
    Annotated[HtmlStrip, Tag("htmlStrip")]
    | Annotated[IcuNormalize, Tag("icuNormalize")]
    | Annotated[CharMapping, Tag("mapping")]
    | Annotated[PersianCharFilter, Tag("persian")]
    | Annotated[RawPart, Tag("raw")],
    Discriminator(kind_by_type(frozenset())),
]
