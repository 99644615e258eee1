"""Which server release each part of a pipeline needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.check.pipeline.walk import Pipeline, Stage
from atlas_rag.grammar.releases import KEYS, OPTIONS, SCORE_META, STAGES, WITHIN, Release


def needs(pipeline: Pipeline) -> Iterator[tuple[str, str, Release]]:
    """Every (place, feature, release) of one pipeline, without the pipelines inside it."""
    for stage in pipeline.stages:
        if stage.name in STAGES:
            yield stage.path, stage.name, STAGES[stage.name]
        within = WITHIN.get((stage.name, pipeline.inside))
        if within is not None:
            yield stage.path, f"{stage.name} inside {pipeline.inside}", within
        yield from _options(stage)
        yield from _keys(stage.body, stage.path)


def _options(stage: Stage) -> Iterator[tuple[str, str, Release]]:
    if isinstance(stage.body, Mapping):
        for option, release in OPTIONS.get(stage.name, {}).items():
            if stage.body.get(option) is not None:
                yield f"{stage.path}.{option}", f"{stage.name}.{option}", release


def _keys(value: Any, path: str) -> Iterator[tuple[str, str, Release]]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            if name in ("pipeline", "pipelines"):
                continue
            if name in KEYS:
                yield f"{path}.{name}", name, KEYS[name]
            elif name == "$meta" and item in ("score", "scoreDetails"):
                yield f"{path}.{name}", f"{{$meta: {item!r}}}", SCORE_META
            yield from _keys(item, f"{path}.{name}")
    elif isinstance(value, list) and value and not isinstance(value[0], int | float):
        for index, item in enumerate(value):
            yield from _keys(item, f"{path}[{index}]")
