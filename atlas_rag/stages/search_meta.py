"""`$searchMeta`: counts and facets without the hits."""

from __future__ import annotations

from typing import ClassVar

from atlas_rag.stages.search_body import SearchBody
from atlas_rag.stages.spelling import spelled_class


@spelled_class
class SearchMeta(SearchBody):
    """What would be `$$SEARCH_META` after the same `$search`, as the only document; must be the first stage.

    It takes the options of `Search`; those about hits are read and have no effect.

    Needs: a search index; server 6.0 / 7.0 with Atlas Search, or 8.2 with mongot.
    Source: MongoDB documentation, $searchMeta.
    """

    label: ClassVar[str] = "$searchMeta"
