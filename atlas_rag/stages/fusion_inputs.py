"""What `$rankFusion` and `$scoreFusion` ask of their input pipelines and weights."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.stages.pipeline import Pipeline, read_pipeline
from atlas_rag.stages.spelling import DOCUMENT, invalid

RANKED = ("$search", "$vectorSearch", "$geoNear")
SELECTION = frozenset(("$match", "$sort", "$limit", "$skip", "$sample", *RANKED))
"""Stages that only choose documents. Source: MongoDB documentation, $rankFusion."""
_NAME = re.compile(r"[^$.\0][^.\0]*")


def check_inputs(
    value: Any, name: str, *, selection: frozenset[str], check: Callable[[str, Pipeline], None]
) -> None:
    """Input pipelines by name: named well, only selecting, and whatever else a fusion checks of each."""
    if not isinstance(value, DOCUMENT) or not value:
        raise invalid(f"{name} has no input pipeline", "at least one, by name")
    for key, pipeline in value.items():
        if not isinstance(key, str) or not (key.isidentifier() or _NAME.fullmatch(key)):
            raise invalid(f"The input pipeline name {key!r} is not allowed", "a word without '$' or '.'")
        if not isinstance(pipeline, Pipeline):
            raise invalid(f"Input pipeline {key!r} is a {type(pipeline).__name__}", "a Pipeline")
        if not selection.issuperset(pipeline.names):
            other = next(stage for stage in pipeline.names if stage not in selection)
            raise _not_selecting(key, f"a {other} stage", selection)
        if pipeline.stages and getattr(pipeline.stages[0], "return_stored_source", None):
            raise _not_selecting(key, f"a {pipeline.names[0]} that returns stored source", selection)
        check(key, pipeline)


def _not_selecting(key: str, what: str, selection: frozenset[str]) -> CallError:
    return invalid(
        f"Input pipeline {key!r} has {what}",
        f"stages that only select: {', '.join(sorted(selection))}",
        "shape the documents after the fusion",
    )


def check_weights(value: Any, name: str) -> None:
    """Weights by input pipeline name: finite and not negative."""
    if not isinstance(value, DOCUMENT):
        raise _weights(f"{name} is a {type(value).__name__}", "a number per input pipeline name")
    for key, weight in value.items():
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            raise _weights(f"The weight of {key!r} is a {type(weight).__name__}", "a finite number ≥ 0")
        if not 0 <= weight < math.inf or (weight == 0 and math.copysign(1.0, weight) < 0):
            raise _weights(f"The weight of {key!r} is {weight}", "a finite number ≥ 0")


def check_weight_names(pipelines: Mapping[str, Pipeline], weights: Mapping[str, float] | None) -> None:
    """Every weight belongs to an input pipeline."""
    for name in weights or ():
        if name not in pipelines:
            raise _weights(f"There is no input pipeline {name!r}", f"one of {', '.join(pipelines)}")


def _weights(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_WEIGHTS)


def read_parts(body: Any, label: str, parts: Mapping[str, frozenset[str]]) -> dict[str, Mapping[str, Any]]:
    """The documents inside a fusion's body, with nothing unknown in them.

    Args:
        parts: known options of the documents by their name; "" is the body itself.
    """
    if not isinstance(body, Mapping):
        raise invalid(f"{label} is a {type(body).__name__}", "a document")
    found: dict[str, Mapping[str, Any]] = {}
    for name, known in parts.items():
        part = body if not name else (body.get(name) or {})
        unknown = sorted(set(part) - known) if isinstance(part, Mapping) else [f"{name} itself"]
        if unknown:
            raise invalid(f"{label} has unknown options: {', '.join(unknown)}", ", ".join(sorted(known)))
        found[name] = part
    return found


def read_inputs(pipelines: Any) -> dict[str, Pipeline]:
    """Reads the input pipelines by name."""
    if not isinstance(pipelines, Mapping):
        raise invalid("input.pipelines is missing", "input pipelines by name")
    return {name: read_pipeline(stages) for name, stages in pipelines.items()}
