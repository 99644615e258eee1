"""Pipelines and sub-pipelines: stage documents, compiled in order into one function on rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched_rows
from atlas_rag.inprocess.mql.expressions.scope import Release, Scope
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.stages.registry import (
    Build,
    Rows,
    Run,
    check_engine,
    check_place,
    known_stage,
)
from atlas_rag.inprocess.mql.values.row import Row

MAX_STAGES = 1000


class Pipeline:
    """A compiled pipeline. It may be run many times, each time with its own variables."""

    def __init__(self, build: Build, stages: list[Run], has_source: bool) -> None:
        self._build, self._stages, self.has_source = build, stages, has_source

    def run(self, variables: dict[str, Any]) -> Rows:
        """Yields the rows that leave the last stage, starting from the collection or the source stage."""
        rows = iter(()) if self.has_source else self._scan()
        return self.run_on(rows, variables)

    def run_on(self, rows: Rows, variables: dict[str, Any]) -> Rows:
        """Yields the rows that come of the rows given; variables are written to by source stages."""
        for run in self._stages:
            rows = watched_rows(run(rows, variables))
        return rows

    def _scan(self) -> Rows:
        build = self._build
        if build.collection is None:
            return iter(())
        collection = build.context.database.collection(build.collection, build.database)
        return watched_rows(map(Row, collection.documents())) if collection is not None else iter(())


def compile_pipeline(
    stages: Sequence[Any],
    context: Context,
    collection: str | None,
    *,
    scope: Scope,
    within: str | None = None,
    database: str | None = None,
) -> Pipeline:
    """Returns a compiled pipeline, or sub-pipeline of the stage `within`.

    Raises:
        CommandError: what a server says to a pipeline it cannot run; see the stages.
    """
    documents = checked_stages(stages)
    if len(documents) > MAX_STAGES:
        raise CommandError(9, f"Pipeline length must be no longer than {MAX_STAGES} stages")
    _check_names(documents, context.release)
    build = Build(context, collection, scope, within, database=database)
    kinds = [known_stage(name, context.release) for (name,) in documents]
    runs: list[Run] = []
    for position, (document, kind) in enumerate(zip(documents, kinds, strict=True)):
        build.position, build.rest = position, documents[position + 1 :]
        ((name, argument),) = document.items()
        check_engine(name, kind, build)
        runs.append(kind.compile(argument, build))
    for position, ((name,), kind) in enumerate(zip(documents, kinds, strict=True)):
        build.position, build.rest = position, documents[position + 1 :]
        check_place(name, kind, build)
    return Pipeline(build, runs, any(kind.is_source for kind in kinds))


def checked_stages(stages: Sequence[Any]) -> list[dict[str, Any]]:
    """Returns the stages of a pipeline. Raises code 14 if one is no document."""
    for stage in stages:
        if not isinstance(stage, dict):
            raise CommandError(14, "Each element of the 'pipeline' array must be an object")
    return list(stages)


def _check_names(stages: Sequence[dict[str, Any]], release: Release) -> None:
    """Checks the names of all stages, those in pipelines inside of others too: before any is compiled."""
    for stage in stages:
        if len(stage) != 1:
            text = "A pipeline stage specification object must contain exactly one field."
            raise CommandError(40323, text)
        ((name, argument),) = stage.items()
        for inner in known_stage(name, release).pipelines(argument):
            _check_names(inner, release)


def sub_pipeline(stages: Sequence[Any], build: Build, within: str, **surroundings: Any) -> Pipeline:
    """Compiles the pipeline inside another stage, over the same collection unless told otherwise."""
    collection = surroundings.pop("collection", build.collection)
    scope = surroundings.pop("scope", build.scope)
    return compile_pipeline(stages, build.context, collection, scope=scope, within=within, **surroundings)
