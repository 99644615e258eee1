"""Everything that is wrong with an experiment file, told at once, with the name that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, TypeAlias, get_args

from pydantic import BaseModel, ValidationError

from atlas_rag.check import check
from atlas_rag.tuning.experiment.templates import TEXT, VECTOR

Experiment: TypeAlias = Any
"""The model of the file, whose own module asks this one."""

HOLE = re.compile(r"\{[A-Za-z_]\w*\}")


def validation_problems(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Each problem of the shape: where, and what; an unknown key with the nearest known one."""
    problems = []
    for one in error.errors():
        place = ".".join(map(str, one["loc"]))
        if one["type"] == "extra_forbidden":
            key = str(one["loc"][-1])
            problems.append(f"{place}: unknown{_meant(key, _keys_at(model, one['loc'][:-1]))}")
        elif one["type"] == "missing":
            problems.append(f"{place}: missing")
        else:
            problems.append(f"{place}: {one['msg']}")
    return problems


def content_problems(experiment: Experiment) -> list[str]:
    """Names that refer to nothing, holes that nothing fills, and stages that the engine would refuse."""
    return [*_references(experiment), *_stages(experiment), *_definitions(experiment)]


def _references(experiment: Experiment) -> Iterator[str]:
    """Names of input pipelines that are none."""
    known = list(experiment.pipelines)
    search = experiment.search
    used: list[tuple[str, str]] = [("current", name) for name in experiment.current]
    used += [("search.least_scores", name) for least in search.least_scores for name in least]
    used += [("search.candidates.pipeline", search.candidates.pipeline)] if search.candidates else []
    used += [("thresholds.score", goal.score) for goal in experiment.thresholds if goal.score != "fused"]
    for label, variant in search.variants.items():
        used += [(f"search.variants.{label}", name) for pair in variant.items() for name in pair]
    for place, name in used:
        if name not in known:
            yield f"{place}: no input pipeline is called {name!r}{_meant(name, known)}"


def _stages(experiment: Experiment) -> Iterator[str]:
    for name, stages in experiment.pipelines.items():
        place = f"pipelines.{name}"
        bad = list(_bad_holes(stages, place))
        yield from bad
        if not bad:  # a stage with a wrong hole would be refused once more for what stands in it
            report = check([_filled(stage) for stage in stages], what="pipeline")
            for finding in report.errors:
                hint = f" ({finding.suggestion})" if finding.suggestion else ""
                yield f"{place}: {finding.message}{hint}"


def _definitions(experiment: Experiment) -> Iterator[str]:
    for index in experiment.indexes:
        what = "vectorIndex" if index.type == "vectorSearch" else "searchIndex"
        for finding in check(index.definition, what=what).errors:
            hint = f" ({finding.suggestion})" if finding.suggestion else ""
            yield f"indexes.{index.name}: {finding.message}{hint}"


def _bad_holes(value: Any, place: str) -> Iterator[str]:
    """Holes that are not filled: of another name, or inside a longer text."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _bad_holes(inner, f"{place}.{name}")
    elif isinstance(value, list):
        for inner in value:
            yield from _bad_holes(inner, place)
    elif isinstance(value, str) and value not in (TEXT, VECTOR):
        for hole in HOLE.findall(value):
            if hole in (TEXT, VECTOR):
                yield f"{place}: {hole} stands inside a longer text; it must stand alone"
            else:
                yield f"{place}: nothing fills {hole}{_meant(hole, (TEXT, VECTOR))}"


def _filled(value: Any) -> Any:
    """The stages as of some query, for checking their shape."""
    if isinstance(value, Mapping):
        return {name: _filled(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner) for inner in value]
    return {TEXT: "text", VECTOR: [0.5, 0.5]}.get(value, value) if isinstance(value, str) else value


def _meant(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), 1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _keys_at(model: type[BaseModel], path: tuple[int | str, ...]) -> list[str]:
    """The keys of the part of the file at a path."""
    here = model
    for step in path:
        if step in here.model_fields:
            inner = here.model_fields[str(step)].annotation
            found = [one for one in (inner, *get_args(inner)) if isinstance(one, type)]
            here = next((one for one in found if issubclass(one, BaseModel)), here)
    return list(here.model_fields)
