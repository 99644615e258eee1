"""`$listSearchIndexes`: the search indexes of a collection."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import invalid, spelled_class
from atlas_rag.stages.stage import WireStage


@spelled_class
class ListSearchIndexes(WireStage):
    """One document per search index, with its status and definition; must be the first stage.

    Args:
        name: of one index.
        id: of one index; without both all are listed.

    Needs: server 6.0.7 / 7.0 with search. Source: MongoDB documentation, $listSearchIndexes.
    """

    label: ClassVar[str] = "$listSearchIndexes"

    name_: Annotated[str | None, checks.word] = None
    id: Annotated[str | None, checks.word] = None

    def validate(self) -> None:
        if self.name_ is not None and self.id is not None:
            raise invalid("$listSearchIndexes has both name and id", "one of the two")
