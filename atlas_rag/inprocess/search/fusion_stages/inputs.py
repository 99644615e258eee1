"""The input pipelines of a fusion, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_field_name
from atlas_rag.inprocess.mql.expressions.scope import Scope
from atlas_rag.inprocess.mql.stages.pipeline import Pipeline, sub_pipeline
from atlas_rag.inprocess.mql.stages.registry import Build
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.search.fusion_stages.rules import LITE_PARSED, InputRules, Stages

MISPLACED = 10170100
"""The code that refuses a fusion that is not the first stage."""

_SEARCH_META_HIDDEN = (6347901, "Can't access $$SEARCH_META after a stage with a sub-pipeline")


@dataclass(frozen=True)
class InputPipeline:
    """One compiled input pipeline."""

    name: str
    stages: Stages
    pipeline: Pipeline

    @property
    def first(self) -> str:
        """The name of its first stage."""
        return next(iter(self.stages[0]))

    def rows(self, variables: Mapping[str, Any]) -> Iterator[Row]:
        """Runs it."""
        return self.pipeline.run(dict(variables))


def read_inputs(given: Mapping[str, Any], rules: InputRules, build: Build) -> list[InputPipeline]:
    """The input pipelines in name order, checked and compiled.

    Raises:
        CommandError: a bad name, what `rules` refuse, or what the pipeline's own stages refuse.
    """
    rules.check_count(len(given), build.context.release)
    inputs = [_read_input(name, stages, rules, build) for name, stages in given.items()]
    return sorted(inputs, key=lambda each: each.name)


def _read_input(name: str, stages: Any, rules: InputRules, build: Build) -> InputPipeline:
    release = build.context.release
    check_field_name(name)
    if not isinstance(stages, list):
        text = f"is the wrong type '{type_name(stages)}', expected type 'array'"
        raise CommandError(14, f"BSON field '{rules.stage}.input.pipelines.{name}' {text}")
    rules.check_nesting(name, stages, release)
    if release >= LITE_PARSED:
        rules.check_stages(name, stages, release)
    scope = Scope(release=build.scope.release, variables=build.scope.variables)
    pipeline = sub_pipeline(stages, build, rules.stage, scope=scope, database=build.database)
    rules.check_stages(name, stages, release)
    return InputPipeline(name, stages, pipeline)


def check_place(stage: str, build: Build) -> None:
    """Raises 11178500 for a fusion in a sub-pipeline of 8.0."""
    if build.within in ("$lookup", "$unionWith") and build.context.release < (8, 1):
        raise CommandError(11178500, f"{stage} is not allowed within a {build.within} sub-pipeline")


def declare_metadata(inputs: list[InputPipeline], build: Build, *, details: bool) -> None:
    """Says what later stages may ask of the rows of a fusion."""
    build.forget_metadata()
    build.add_metadata("score", "sortKey", *(["scoreDetails"] if details else []))
    firsts = {each.first for each in inputs}
    if "$search" in firsts:
        build.add_metadata("searchScore")
        build.scope = build.scope._replace(search_meta=_SEARCH_META_HIDDEN)
    if "$vectorSearch" in firsts:
        build.add_metadata("vectorSearchScore")
