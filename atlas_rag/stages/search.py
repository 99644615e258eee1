"""`$search`: one operator, and what to bring back with the hits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

from atlas_rag.stages import checks
from atlas_rag.stages.operators.operator import OPERATORS, Operator
from atlas_rag.stages.spelling import invalid, spelled_class
from atlas_rag.stages.stage import SpelledStage, stage_body


@spelled_class
class Search(SpelledStage):
    """Full-text search; must be the first stage of its pipeline.

    Args:
        operator: what to look for.
        index: name of a search index; default on the server is "default". A wrong name returns nothing.
        score_details: bring `{$meta: "searchScoreDetails"}`.
        return_stored_source: answer from the index without looking documents up.

    Score: `{$meta: "searchScore"}`, BM25, unbounded.
    Needs: a search index; server 6.0 / 7.0 with Atlas Search, or 8.2 with mongot.
    Source: MongoDB documentation, $search.
    """

    label: ClassVar[str] = "$search"

    operator: Annotated[Operator, checks.instance(Operator)]
    index: Annotated[str | None, checks.text] = None
    score_details: Annotated[bool | None, checks.flag] = None
    return_stored_source: Annotated[bool | None, checks.flag] = None

    def spell(self) -> dict[str, Any]:
        document: dict[str, Any] = {} if self.index is None else {"index": self.index}
        document.update(self.operator.to_operator())
        if self.score_details is not None:
            document["scoreDetails"] = self.score_details
        if self.return_stored_source is not None:
            document["returnStoredSource"] = self.return_stored_source
        return document

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        body = dict(stage_body(stage, cls.label))
        names = [name for name in body if name in OPERATORS]
        if len(names) != 1:
            raise invalid(f"$search has {len(names)} operators", f"one of {', '.join(sorted(OPERATORS))}")
        operator = OPERATORS[names[0]].from_operator({names[0]: body.pop(names[0])})
        return cls.read({**body, "operator": operator})
