"""A pipeline and the pipelines inside it, each with its place and what it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

SEARCH_STAGES: Final = frozenset({"$search", "$searchMeta", "$vectorSearch", "$searchBeta"})
FUSION_STAGES: Final = frozenset({"$rankFusion", "$scoreFusion"})


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: its name with the dollar, its body, and its place."""

    name: str
    body: Any
    path: str
    index: int


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Stages in a row.

    Args:
        stages: the stages, sound or not.
        path: place of the array.
        inside: the stage that holds this pipeline; empty for the outermost.
        host: the body of that stage.
    """

    stages: tuple[Stage, ...]
    path: str = ""
    inside: str = ""
    host: Any = None


def read_pipeline(stages: Any, path: str = "", inside: str = "", host: Any = None) -> Pipeline:
    """The stages of an array; what is no single-key document gets an empty name."""
    read = []
    for index, stage in enumerate(stages):
        place = f"{path}[{index}]"
        if isinstance(stage, Mapping) and len(stage) == 1:
            name, body = next(iter(stage.items()))
            read.append(Stage(str(name), body, f"{place}.{name}", index))
        else:
            read.append(Stage("", stage, place, index))
    return Pipeline(tuple(read), path, inside, host)


def inner_pipelines(stage: Stage) -> Iterator[Pipeline]:
    """The pipelines that a stage holds: branches, look-ups, unions, inputs of a fusion."""
    if not isinstance(stage.body, Mapping):
        return
    for place, stages in _arrays(stage):
        if isinstance(stages, list):
            yield read_pipeline(stages, f"{stage.path}{place}", stage.name, stage.body)


def _arrays(stage: Stage) -> Iterator[tuple[str, Any]]:
    body = stage.body
    if stage.name == "$facet":
        yield from ((f".{name}", branch) for name, branch in body.items())
    elif stage.name in ("$lookup", "$unionWith"):
        yield ".pipeline", body.get("pipeline")
    elif stage.name in FUSION_STAGES:
        yield from ((f".input.pipelines.{name}", one) for name, one in inputs(body).items())


def inputs(fusion: Any) -> Mapping[str, Any]:
    """The named input pipelines of a fusion body; empty where there are none to read."""
    given = fusion.get("input") if isinstance(fusion, Mapping) else None
    pipelines = given.get("pipelines") if isinstance(given, Mapping) else None
    return pipelines if isinstance(pipelines, Mapping) else {}


def everything(pipeline: Pipeline) -> Iterator[Pipeline]:
    """The pipeline and all inside it, outermost first."""
    yield pipeline
    for stage in pipeline.stages:
        for inner in inner_pipelines(stage):
            yield from everything(inner)
