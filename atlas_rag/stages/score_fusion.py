"""`$scoreFusion`: several scored pipelines over one collection become one ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self

from atlas_rag.stages import checks
from atlas_rag.stages.fusion_inputs import (
    SELECTION,
    check_inputs,
    check_weight_names,
    check_weights,
    read_inputs,
    read_parts,
)
from atlas_rag.stages.pipeline import Pipeline
from atlas_rag.stages.spelling import invalid, spelled_class
from atlas_rag.stages.stage import Stage, WireStage, stage_body

NORMALIZATIONS = ("none", "sigmoid", "minMaxScaler")

_SELECTION = SELECTION | {"$score"}
_SCORED = ("$search", "$vectorSearch")
_PARTS = {
    "": frozenset({"input", "combination", "scoreDetails"}),
    "input": frozenset({"pipelines", "normalization"}),
    "combination": frozenset({"method", "weights", "expression"}),
}


def _check_pipelines(value: Any, name: str) -> None:
    check_inputs(value, name, selection=_SELECTION, check=_check_scored)


def _check_scored(key: str, pipeline: Pipeline) -> None:
    if not _is_scored(pipeline.stages):
        raise invalid(
            f"Input pipeline {key!r} is not scored",
            "$search, $vectorSearch or $match of $text first, or a $score",
        )


def _is_scored(stages: tuple[Stage, ...]) -> bool:
    if not stages:
        return False
    first = stages[0]
    by_text = first.name == "$match" and "$text" in first.to_stage()["$match"]
    return first.name in _SCORED or by_text or any(stage.name == "$score" for stage in stages)


@spelled_class
class ScoreFusion(WireStage):
    """Combines normalized scores on the server; must be the first stage of its pipeline.

    Formula: score(d) = mean over all N input pipelines of weight · normalized score (0 where d is absent),
    or the expression. Under minMaxScaler the scaler runs after the weight, so weights have no effect.

    Args:
        pipelines: input pipelines by name; each selects and scores, none shapes documents.
        normalization: `none`, `sigmoid` 1/(1 + e^−s), or `minMaxScaler` (s − min)/(max − min).
        method: `avg` (default), or `expression`.
        weights: by name, finite, ≥ 0; omitted means 1; not with an expression.
        expression: an aggregation expression over `$$name`, the score of an input pipeline; may be anything
            that gives a number.
        score_details: bring `{$meta: "scoreDetails"}`.

    Needs: server 8.2. Source: MongoDB documentation, $scoreFusion; the server's own desugaring.
    """

    label: ClassVar[str] = "$scoreFusion"

    pipelines: Annotated[Mapping[str, Pipeline], _check_pipelines]
    normalization: Annotated[str, checks.one_of(*NORMALIZATIONS)]
    method: Annotated[str | None, checks.one_of("avg", "expression")] = None
    weights: Annotated[Mapping[str, float] | None, check_weights] = None
    expression: Any = None
    score_details: Annotated[bool | None, checks.flag] = None

    def validate(self) -> None:
        check_weight_names(self.pipelines, self.weights)
        if (self.expression is None) != (self.method != "expression"):
            raise invalid("$scoreFusion has not both method 'expression' and an expression", "both or none")
        if self.expression is not None and self.weights is not None:
            raise invalid("$scoreFusion has an expression and weights", "weights inside the expression")

    def spell(self) -> dict[str, Any]:
        pipelines = {name: pipeline.to_list() for name, pipeline in self.pipelines.items()}
        document: dict[str, Any] = {"input": {"pipelines": pipelines, "normalization": self.normalization}}
        options = {"method": self.method, "weights": self.weights, "expression": self.expression}
        combination = {name: value for name, value in options.items() if value is not None}
        if combination:
            document["combination"] = combination
        if self.score_details is not None:
            document["scoreDetails"] = self.score_details
        return document

    def raw_parts(self) -> Iterator[str]:
        for pipeline in self.pipelines.values():
            yield from pipeline.raw

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        parts = read_parts(stage_body(stage, cls.label), cls.label, _PARTS)
        return cls(
            pipelines=read_inputs(parts["input"].get("pipelines")),
            normalization=parts["input"].get("normalization"),  # type: ignore[arg-type]  # checked there
            score_details=parts[""].get("scoreDetails"),
            **parts["combination"],
        )
