"""`$unionWith`: the documents of another collection behind those at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages.joining.foreign import check_starts_with_documents
from atlas_rag.inprocess.mql.stages.pipeline import Pipeline, sub_pipeline
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row

_ARGUMENT = Struct({"coll": "string", "pipeline": "objects"})


def _pipelines(argument: Any) -> Iterator[list[Any]]:
    _, stages = _parts(argument)
    yield stages


@stage("$unionWith", pipelines=_pipelines)
def union_with(argument: Any, build: Build) -> Run:
    """Appends the documents of another collection, or of a pipeline over it."""
    collection, stages = _parts(argument)
    scope = build.scope.elsewhere()
    pipeline = sub_pipeline(stages, build, "$unionWith", collection=collection, scope=scope, database=None)
    build.hide_search_meta()

    def run(rows: Rows, variables: dict[str, Any]) -> Rows:
        return chain(rows, _late(pipeline, variables, collection))

    return run


def _late(pipeline: Pipeline, variables: dict[str, Any], collection: str | None) -> Iterator[Row]:
    """Runs a pipeline once its rows are asked for."""
    if collection == "":
        raise CommandError(73, "Namespace is not a valid collection name")
    yield from pipeline.run(dict(variables))


def _parts(argument: Any) -> tuple[str | None, list[Any]]:
    """Returns the collection, None for one made by `$documents`, and the pipeline over it."""
    if isinstance(argument, str):
        return argument, []
    if not isinstance(argument, Mapping):
        text = f"must be an object or string, but found {type_name(argument)}"
        raise CommandError(9, f"the $unionWith stage specification {text}")
    given = _ARGUMENT.read("$unionWith", argument)
    collection, stages = given.get("coll"), given.get("pipeline", [])
    if collection is None:
        check_starts_with_documents("$unionWith", stages)
    return collection, stages
