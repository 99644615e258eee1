"""What the input pipelines of a recipe find for each question: on a deployed collection, or in process."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from atlas_rag.capability import CapabilityReport, probe
from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.drivers.in_process import LocalEngine
from atlas_rag.embed.asking import embed_question
from atlas_rag.errors import CallError, ExperimentError
from atlas_rag.loading import LoadReport
from atlas_rag.plan import begin, finish
from atlas_rag.query.request import Request as Question
from atlas_rag.recipes import Recipe
from atlas_rag.retriever import Retriever
from atlas_rag.tuning.collect import Collected, Request, acollect, collect
from atlas_rag.tuning.collect.collect import Progress
from atlas_rag.tuning.collect.rows import Stages
from atlas_rag.tuning.data.queries import ExperimentQuery, QuerySet
from atlas_rag.tuning.recipe.reading import ID, read_records
from atlas_rag.wire import drive

DEPTH = 100
NOT_ASKED: Stages = [{"$match": {"_id": {"$in": []}}}, {"$sort": {"_id": 1}}]
"""The stages of an input pipeline that a question does not reach, such as a search for no words."""


def load_files(recipe: Recipe, collection: Any, documents: str | Path, embedder: Any) -> LoadReport:
    """Puts documents of a file (JSON lines or CSV) into a collection, with vectors and the recipe's indexes.

    What is stored already is left alone. A document that cannot be embedded, such as one without a text, is
    in the report as failed, and no question finds it.

    Raises:
        ExperimentError: a document without an id (7602). RetrievalError: the embedder failed.
    """
    retriever = Retriever.from_recipe(recipe, collection, embedder=embedder)
    records = _titled(read_records(documents), Path(documents).name)
    report = retriever.load(records)
    retriever.ensure_indexes(recipe.indexes or None)
    return report


def collect_runs(
    recipe: Recipe,
    collection: Any,
    queries: QuerySet,
    *,
    embedder: Any = None,
    filter: Mapping[str, Any] | None = None,  # noqa: A002  # the name of the option
    depth: int = DEPTH,
    progress: Progress | None = None,
) -> Collected:
    """The ranked list of each input pipeline for each question, as a retriever of the recipe would ask it.

    Args:
        filter: what every question may find, for a recipe that requires a filter.
        depth: documents taken of each input pipeline.

    Raises:
        CallError, SearchIndexError, ServerError: as a retrieval would.
    """
    planning = _Planning(recipe, collection, embedder, filter, depth)
    names = [one.name for one in recipe.inputs]
    request = Request(
        collection.name, queries, {name: planning.stages_of(name) for name in names}, depth=depth
    )
    engine = engine_for(collection)
    if isinstance(engine, LocalEngine):
        return collect(engine, request, progress=progress)
    return asyncio.run(acollect(async_engine_for(collection), request, progress=progress))


class _Planning:
    """Plans each question once, as the recipe's retriever does, filters and belts among it."""

    def __init__(
        self, recipe: Recipe, collection: Any, embedder: Any, condition: Mapping[str, Any] | None, depth: int
    ) -> None:
        options = {"depth": depth, **({} if condition is None else {"filter": condition})}
        self.retriever = Retriever.from_recipe(recipe, collection, embedder=embedder)
        self.engine, self.options = engine_for(collection), options
        self.planned: dict[str, dict[str, Stages]] = {}

    @cached_property
    def report(self) -> CapabilityReport:
        return drive(probe(self.engine.namespace), self.engine)

    def stages_of(self, name: str) -> Any:
        def stages(query: ExperimentQuery) -> Stages:
            if query.id not in self.planned:
                self.planned[query.id] = self._plan(query)
            return self.planned[query.id].get(name, NOT_ASKED)

        return stages

    def _plan(self, query: ExperimentQuery) -> dict[str, Stages]:
        setup = self.retriever.setup
        asked = Question(query.text, options=setup.options.override(self.options))
        draft = begin(asked, setup.setting, self.report)
        vectors = {}
        for one in draft.chosen:
            embedder = one.own_embedder or setup.embedder
            if one.needs_vector and embedder is not None:
                vectors[one.name] = drive(embed_question(embedder, query.text), self.engine).vector
        try:
            plan = finish(draft, vectors)
        except CallError as error:
            raise ExperimentError(
                f"the question {query.id!r} cannot be asked: {error.problem}",
                expected=error.expected,
                next_step="leave it out, or take the embedder that the documents were embedded with",
            ) from error
        return {name: pipeline.to_list() for name, pipeline in plan.ranked.items()}


def _titled(records: Iterable[Mapping[str, Any]], name: str) -> Iterator[dict[str, Any]]:
    for number, record in enumerate(records, start=1):
        identity = next((record[one] for one in ID if record.get(one) not in (None, "")), None)
        if identity is None:
            raise ExperimentError(
                f"{name}, record {number} has no id",
                expected=f"{' or '.join(ID)} in each",
                next_step="name each document as the judgments do",
            )
        yield {"_id": str(identity), **{key: value for key, value in record.items() if key not in ID}}
