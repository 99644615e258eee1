"""`$rankFusion`: several ranked pipelines over one collection become one ranking."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self

from atlas_rag.errors import CallError, Code
from atlas_rag.stages import checks
from atlas_rag.stages.pipeline import Pipeline, read_pipeline
from atlas_rag.stages.spelling import invalid, spelled_class
from atlas_rag.stages.stage import SpelledStage, stage_body

RANKED = ("$search", "$vectorSearch", "$geoNear")
SELECTION = ("$match", "$sort", "$limit", "$skip", "$sample", *RANKED)
"""Stages that only choose documents. Source: MongoDB documentation, $rankFusion."""


def check_pipelines(value: Any, name: str) -> None:
    """Input pipelines by name: named well, only selecting, and ranked."""
    if not isinstance(value, Mapping) or not value:
        raise invalid(f"{name} has no input pipeline", "at least one, by name")
    for key, pipeline in value.items():
        if not isinstance(key, str) or not key or key.startswith("$") or "." in key or "\0" in key:
            raise invalid(f"The input pipeline name {key!r} is not allowed", "a word without '$' or '.'")
        stages = [stage.name for stage in pipeline]
        other = next((stage for stage in stages if stage not in SELECTION), None)
        if other is not None:
            raise invalid(
                f"Input pipeline {key!r} has a {other} stage",
                f"stages that only select: {', '.join(SELECTION)}",
                "shape the documents after the fusion",
            )
        if not stages or (stages[0] not in RANKED and "$sort" not in stages):
            raise invalid(f"Input pipeline {key!r} is not ranked", f"{', '.join(RANKED)} first, or a $sort")


def check_weights(value: Any, name: str) -> None:
    """Weights by input pipeline name: finite and not negative."""
    if not isinstance(value, Mapping):
        raise _weights(f"{name} is a {type(value).__name__}", "a number per input pipeline name")
    for key, weight in value.items():
        if isinstance(weight, bool) or not isinstance(weight, int | float):
            raise _weights(f"The weight of {key!r} is a {type(weight).__name__}", "a finite number ≥ 0")
        if not math.isfinite(weight) or weight < 0 or math.copysign(1.0, weight) < 0:
            raise _weights(f"The weight of {key!r} is {weight}", "a finite number ≥ 0")


def _weights(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_WEIGHTS)


@spelled_class
class RankFusion(SpelledStage):
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
        unknown = [name for name in self.weights or () if name not in self.pipelines]
        if unknown:
            raise _weights(
                f"There is no input pipeline {unknown[0]!r}", f"one of {', '.join(self.pipelines)}"
            )

    def spell(self) -> dict[str, Any]:
        pipelines = {name: pipeline.to_list() for name, pipeline in self.pipelines.items()}
        document: dict[str, Any] = {"input": {"pipelines": pipelines}}
        if self.weights is not None:
            document["combination"] = {"weights": dict(self.weights)}
        if self.score_details is not None:
            document["scoreDetails"] = self.score_details
        return document

    @classmethod
    def from_stage(cls, stage: Mapping[str, Any]) -> Self:
        body = stage_body(stage, cls.label)
        unknown = set(body) - {"input", "combination", "scoreDetails"}
        if unknown or set(body.get("input", {})) != {"pipelines"}:
            raise invalid(
                "$rankFusion has unknown options", "input.pipelines, combination.weights, scoreDetails"
            )
        inputs: Mapping[str, Sequence[Mapping[str, Any]]] = body["input"]["pipelines"]
        return cls(
            pipelines={name: read_pipeline(stages) for name, stages in inputs.items()},
            weights=body.get("combination", {}).get("weights"),
            score_details=body.get("scoreDetails"),
        )
