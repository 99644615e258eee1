"""`$facet`: several pipelines over the same rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_field_name
from atlas_rag.inprocess.mql.stages.pipeline import sub_pipeline
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render_field


def _pipelines(argument: Any) -> Iterator[list[Any]]:
    if not isinstance(argument, Mapping) or not argument:
        found = f"but found: {render_field('$facet', argument)}"
        raise CommandError(40169, f"the $facet specification must be a non-empty object, {found}")
    for name, stages in argument.items():
        _check_pipeline(name, stages)
    yield from argument.values()


def _check_pipeline(name: str, stages: Any) -> None:
    check_field_name(name)
    if not isinstance(stages, list):
        raise CommandError(40170, f"arguments to $facet must be arrays, {name} is type {type_name(stages)}")
    for position, document in enumerate(stages):
        if not isinstance(document, dict):
            element = f"{type_name(document)}: {render_field(str(position), document)}"
            text = f"must be non-empty objects, {name} argument contained an element of type {element}"
            raise CommandError(40171, f"elements of arrays in $facet spec {text}")


@stage("$facet", in_facet=False, pipelines=_pipelines)
def facet(argument: Any, build: Build) -> Run:
    """One document with the results of several pipelines over the same rows."""
    pipelines = {name: sub_pipeline(stages, build, "$facet") for name, stages in argument.items()}
    build.forget_metadata()
    build.hide_search_meta()

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        shared = list(rows)
        yield Row(
            {
                name: [row.doc for row in pipeline.run_on(iter(shared), variables)]
                for name, pipeline in pipelines.items()
            }
        )

    return run
