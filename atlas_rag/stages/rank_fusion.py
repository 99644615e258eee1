"""`$rankFusion`: several ranked pipelines over one collection become one ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Self

from atlas_rag.stages import checks
from atlas_rag.stages.fusion_inputs import (
    RANKED,
    SELECTION,
    check_inputs,
    check_weight_names,
    check_weights,
    read_inputs,
    read_parts,
)
from atlas_rag.stages.pipeline import Pipeline
from atlas_rag.stages.spelling import invalid, spelled_class
from atlas_rag.stages.stage import WireStage, stage_body

_PARTS = {
    "": frozenset({"input", "combination", "scoreDetails"}),
    "input": frozenset({"pipelines"}),
    "combination": frozenset({"weights"}),
}


def check_pipelines(value: Any, name: str) -> None:
    """Input pipelines by name: named well, only selecting, and ranked."""
    check_inputs(value, name, selection=SELECTION, check=_check_ranked)


def _check_ranked(key: str, pipeline: Pipeline) -> None:
    names = pipeline.names
    if not names or (names[0] not in RANKED and "$sort" not in names):
        raise invalid(f"Input pipeline {key!r} is not ranked", f"{', '.join(RANKED)} first, or a $sort")


@spelled_class
class RankFusion(WireStage):
    """Reciprocal rank fusion on the server; must be the first stage of its pipeline.

    Formula: score(d) = Σ over input pipelines of weight · 1/(60 + rank), competition ranks ("1, 1, 3").

    Args:
        pipelines: input pipelines by name; each selects and ranks, none shapes documents.
        weights: by name, finite, ≥ 0; omitted means 1.
        score_details: bring `{$meta: "scoreDetails"}`: rank, weight and raw value per input pipeline.

    Needs: server 8.0 with the feature, in practice 8.1. Source: MongoDB documentation, $rankFusion.
    """

    label: ClassVar[str] = "$rankFusion"

    pipelines: Annotated[Mapping[str, Pipeline], check_pipelines]
    weights: Annotated[Mapping[str, float] | None, check_weights] = None
    score_details: Annotated[bool | None, checks.flag] = None

    def validate(self) -> None:
        check_weight_names(self.pipelines, self.weights)

    def spell(self) -> dict[str, Any]:
        pipelines = {name: pipeline.to_list() for name, pipeline in self.pipelines.items()}
        document: dict[str, Any] = {"input": {"pipelines": pipelines}}
        if self.weights is not None:
            document["combination"] = {"weights": dict(self.weights)}
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
            weights=parts["combination"].get("weights"),
            score_details=parts[""].get("scoreDetails"),
        )
