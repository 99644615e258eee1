"""What `$search` and `$searchMeta` have in common: an operator, and options around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from atlas_rag.stages import checks
from atlas_rag.stages.operators.facet import Facet
from atlas_rag.stages.operators.operator import LEGACY, Operator, known_operators, read_operator
from atlas_rag.stages.operators.scopes import check_filter, check_scopes
from atlas_rag.stages.operators.vector_search import VectorSearchOperator
from atlas_rag.stages.search_options import (
    Count,
    Highlight,
    NodePreference,
    ReturnScope,
    SortKeys,
    Tracking,
    read_sort,
    sort_keys,
)
from atlas_rag.stages.spelling import Read, invalid, spelled_class
from atlas_rag.stages.stage import WireStage, stage_body

NOT_WITH_VECTORS = ("sort", "search_after", "search_before", "highlight", "tracking")


@spelled_class
class SearchBody(WireStage):
    """The options of both stages, and the rules between them; a base, of no use alone."""

    operator: Annotated[Operator, checks.instance(Operator)]
    index: Annotated[str | None, checks.word] = None
    count: Annotated[Count | None, checks.instance(Count), Read(Count.read)] = None
    highlight: Annotated[Highlight | None, checks.instance(Highlight), Read(Highlight.read)] = None
    sort: Annotated[SortKeys | None, sort_keys, Read(read_sort)] = None
    search_after: Annotated[str | None, checks.string] = None
    search_before: Annotated[str | None, checks.string] = None
    score_details: Annotated[bool | None, checks.flag] = None
    return_stored_source: Annotated[bool | None, checks.flag] = None
    return_scope: Annotated[ReturnScope | None, checks.instance(ReturnScope), Read(ReturnScope.read)] = None
    tracking: Annotated[Tracking | None, checks.instance(Tracking), Read(Tracking.read)] = None
    concurrent: Annotated[bool | None, checks.flag] = None
    search_node_preference: Annotated[
        NodePreference | None, checks.instance(NodePreference), Read(NodePreference.read)
    ] = None

    def validate(self) -> None:
        if self.search_after is not None and self.search_before is not None:
            raise invalid(f"{self.label} has both searchAfter and searchBefore", "one of the two")
        operator = self.operator.operator if isinstance(self.operator, Facet) else self.operator
        if operator is not None:
            check_scopes(operator, None if self.return_scope is None else self.return_scope.path)
        if isinstance(operator, VectorSearchOperator):
            self._check_vector(operator)

    def _check_vector(self, operator: VectorSearchOperator) -> None:
        for name in NOT_WITH_VECTORS:
            if getattr(self, name) is not None:
                raise invalid(f"{self.label} has {name} beside vectorSearch", "a stage after it")
        for condition in (operator.filter, operator.parent_filter):
            if condition is not None:
                check_filter(condition)

    def spell(self) -> dict[str, Any]:
        document = super().spell()
        document.update(document.pop("operator"))
        if self.sort is not None:
            document["sort"] = dict(key.entry() for key in self.sort)
        return document

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        body = stage_body(stage, cls.label)
        if not isinstance(body, Mapping):
            raise invalid(f"{cls.label} is a {type(body).__name__}", "a document")
        operators = known_operators().keys() | LEGACY
        names = [name for name in body if body[name] is not None and name in operators]
        if len(names) != 1:
            raise invalid(f"{cls.label} has {len(names)} operators", f"one of {', '.join(known_operators())}")
        if "operator" in body:
            raise invalid(f"{cls.label} has an unknown option 'operator'", f"the operator's name, {names[0]}")
        operator = read_operator({names[0]: body[names[0]]})
        options = {name: value for name, value in body.items() if name not in operators}
        return cls.read({**options, "operator": operator})
