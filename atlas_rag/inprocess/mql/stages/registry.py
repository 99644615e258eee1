"""The aggregation stages of this engine: how each is compiled, where it may stand, since which release."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Release, Scope, Variables
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.values.row import Row

Rows = Iterator[Row]
Run = Callable[[Rows, dict[str, Any]], Rows]

_AFTER_SUB_PIPELINE = (6347901, "Can't access $$SEARCH_META after a stage with a sub-pipeline")


@dataclass
class Build:
    """A pipeline in the making: what a stage sees of its surroundings while it is compiled.

    A stage changes `scope` if those after it may refer to more, or to less.

    Args:
        collection: the collection the pipeline reads, None for `{aggregate: 1}`.
        within: the stage whose sub-pipeline this is, None for the outermost pipeline.
        rest: the stages that follow, as sent; a source looks there for a limit.
        database: the database of `collection` if it is not the command's own.
    """

    context: Context
    collection: str | None
    scope: Scope
    within: str | None = None
    position: int = 0
    rest: list[dict[str, Any]] = field(default_factory=list)
    database: str | None = None

    def forget_metadata(self) -> None:
        """After a stage that makes new documents, nothing can be asked of the old ones."""
        self.scope = self.scope._replace(metadata=frozenset())

    def add_metadata(self, *names: str) -> None:
        """Later stages may read these with `$meta`."""
        self.scope = self.scope._replace(metadata=self.scope.metadata | frozenset(names))

    def hide_search_meta(self) -> None:
        """After a stage with pipelines inside, the metadata of a search cannot be read any more."""
        if self.scope.search_meta is None:
            self.scope = self.scope._replace(search_meta=_AFTER_SUB_PIPELINE)


CompileStage = Callable[[Any, Build], Run]
Pipelines = Callable[[Any], Iterable[list[dict[str, Any]]]]


def _no_pipelines(argument: Any) -> Iterable[list[dict[str, Any]]]:
    return ()


@dataclass(frozen=True)
class StageKind:
    """One stage.

    Args:
        compile: turns the stage's argument into a function on rows.
        release: the first release that has it.
        pipelines: yields the pipelines that stand in the argument, and refuses what keeps it from doing so.
        is_source: makes rows instead of taking them, and so must come first.
        misplaced: the code that refuses a source elsewhere.
        needs_no_collection: a source that cannot stand over a collection.
        needs_collection: a source that cannot stand over a whole database.
        is_search: needs the search engine.
        in_facet, in_lookup, in_union, in_update: may stand in such a sub-pipeline.
        is_last: writes, and so must come last.
    """

    compile: CompileStage
    release: Release = (0, 0)
    pipelines: Pipelines = _no_pipelines
    is_source: bool = False
    misplaced: int = 40602
    needs_no_collection: bool = False
    needs_collection: bool = False
    is_search: bool = False
    in_facet: bool = True
    in_lookup: Release | None = (0, 0)
    in_union: bool = True
    in_update: bool = False
    is_last: bool = False


STAGES: dict[str, StageKind] = {}


def stage(name: str, **traits: Any) -> Callable[[CompileStage], CompileStage]:
    """Registers a function as the compiler of one stage; traits are those of `StageKind`."""

    def register(function: CompileStage) -> CompileStage:
        STAGES[name] = StageKind(function, **traits)
        return function

    return register


def known_stage(name: str, release: Release) -> StageKind:
    """Returns a stage. Raises code 40324 for one that the release does not have."""
    kind = STAGES.get(name)
    if kind is None or kind.release > release:
        raise CommandError(40324, f"Unrecognized pipeline stage name: '{name}'")
    return kind


def check_engine(name: str, kind: StageKind, build: Build) -> None:
    """Refuses a search stage where there is no search engine: code 31082, before 8.0 code 6047401."""
    if kind.is_search and not build.context.has_search:
        raise _no_search(name, build.context.release)


def _no_search(name: str, release: Release) -> CommandError:
    if release < (8, 0):
        return CommandError(6047401, f"{name} stage is only allowed on MongoDB Atlas")
    return CommandError(31082, _SEARCH_NOT_ENABLED)


_SEARCH_NOT_ENABLED = (
    "Using $search and $vectorSearch aggregation stages requires additional configuration. "
    "Please connect to Atlas or an AtlasCLI local deployment to enable."
)


def check_place(name: str, kind: StageKind, build: Build) -> None:
    """Checks that a stage may stand where it does.

    Raises:
        CommandError: code 40600, 51047, 31441 and 72 (not in such a sub-pipeline), 73 (not over a
            collection), 40602 and 40601 (not first, not last).
    """
    if build.within == "$facet" and not kind.in_facet:
        raise CommandError(40600, f"{name} is not allowed to be used within a $facet stage")
    if build.within == "$lookup" and (kind.in_lookup is None or kind.in_lookup > build.context.release):
        raise CommandError(51047, f"{name} is not allowed within a $lookup's sub-pipeline")
    if build.within == "$unionWith" and not kind.in_union:
        raise CommandError(31441, f"{name} is not allowed within a $unionWith's sub-pipeline")
    if build.within == "update" and not kind.in_update:
        raise CommandError(72, f"{name} is not allowed to be used within an update")
    if kind.is_source and build.position > 0:
        raise CommandError(kind.misplaced, f"{name} is only valid as the first stage in a pipeline")
    if kind.needs_no_collection and build.within is None and build.collection is not None:
        raise CommandError(73, f"'{name}' can only be run with {{aggregate: 1}}")
    if kind.needs_collection and build.within is None and build.collection is None:
        raise CommandError(73, f"{{aggregate: 1}} is not valid for '{name}'; a collection is required.")
    if kind.is_last and build.rest:
        raise CommandError(40601, f"{name} can only be the final stage in the pipeline")


def each(variables_function: Callable[[Row, Variables], Row]) -> Run:
    """Returns a stage that gives one row for each row."""

    def run(rows: Rows, variables: dict[str, Any]) -> Rows:
        return (variables_function(row, variables) for row in rows)

    return run
