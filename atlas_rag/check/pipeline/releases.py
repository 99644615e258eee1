"""Which server release each stage and option needs.

Source: MongoDB manual and driver specifications; where they disagree the earlier release is taken, because a
deployment is asked by trying anyway. Patch releases are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.check.pipeline.walk import FUSION_STAGES, Pipeline, Stage

Release = tuple[int, int]

STAGES: Mapping[str, Release] = {
    "$listSearchIndexes": (6, 0),
    "$rankFusion": (8, 0),
    "$rerank": (8, 3),
    "$score": (8, 2),
    "$scoreFusion": (8, 2),
    "$search": (5, 0),
    "$searchMeta": (5, 0),
    "$vectorSearch": (6, 0),
}
"""First release with a stage."""

OPTIONS: Mapping[str, Mapping[str, Release]] = {
    "$search": {"returnScope": (8, 2), "searchAfter": (6, 0), "searchBefore": (6, 0)},
    "$searchMeta": {"returnScope": (8, 2)},
    "$vectorSearch": {"model": (8, 2), "query": (8, 2), "returnStoredSource": (8, 2)},
}
"""First release with an option of a stage."""

KEYS: Mapping[str, Release] = {
    "$minMaxScaler": (8, 2),
    "$sigmoid": (8, 1),
    "hasAncestor": (8, 2),
    "hasRoot": (8, 2),
}
"""First release with an operator, wherever it stands."""

_SCORE_META: Release = (8, 1)
_WITHIN: Mapping[tuple[str, str], Release] = {
    ("$vectorSearch", "$lookup"): (9, 0),
    ("$vectorSearch", "$unionWith"): (8, 0),
    **{(fusion, host): (8, 1) for fusion in FUSION_STAGES for host in ("$lookup", "$unionWith")},
}


def needs(pipeline: Pipeline) -> Iterator[tuple[str, str, Release]]:
    """Every (place, feature, release) of one pipeline, without the pipelines inside it."""
    for stage in pipeline.stages:
        if stage.name in STAGES:
            yield stage.path, stage.name, STAGES[stage.name]
        within = _WITHIN.get((stage.name, pipeline.inside))
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
                yield f"{path}.{name}", f"{{$meta: {item!r}}}", _SCORE_META
            yield from _keys(item, f"{path}.{name}")
    elif isinstance(value, list) and value and not isinstance(value[0], int | float):
        for index, item in enumerate(value):
            yield from _keys(item, f"{path}[{index}]")
