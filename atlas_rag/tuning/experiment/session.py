"""An experiment on a deployment: what is asked, and what the answers depend on."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.drivers.in_process import LocalEngine
from atlas_rag.tuning.collect import Collected, Request, RunCache, acollect, collect
from atlas_rag.tuning.collect.collect import Progress
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.load import judgments, load, queries, query_vectors
from atlas_rag.tuning.experiment.templates import from_template
from atlas_rag.tuning.procedure import Settings
from atlas_rag.wire import Command, Engine


@dataclass(frozen=True)
class Session:
    """Use `Session.open`.

    Args:
        collection: of PyMongo or the in-process engine.
        documents: how many it holds.
    """

    experiment: Experiment
    collection: Any
    queries: QuerySet
    judgments: Judgments
    documents: int

    @classmethod
    def open(cls, experiment: Experiment, client: Any) -> Session:
        """Loads the documents where they are missing, and waits for the indexes."""
        collection = client[experiment.collect.database][experiment.collect.collection]
        count = load(experiment, collection)
        asked = queries(experiment)
        return cls(experiment, collection, asked, judgments(experiment, asked), count)

    @cached_property
    def engine(self) -> Engine:
        """What runs single commands."""
        return engine_for(self.collection)

    def collect(self, cache: RunCache | None, progress: Progress) -> Collected:
        """Collects: several requests at a time on a deployment, one after the other in process.

        In process, threads would only share the one processor and blur the latencies.
        """
        if isinstance(self.engine, LocalEngine):
            return collect(self.engine, self.request, cache=cache, progress=progress)
        engine = async_engine_for(self.collection)
        return asyncio.run(acollect(engine, self.request, cache=cache, progress=progress))

    @cached_property
    def request(self) -> Request:
        """What is collected."""
        how, vectors = self.experiment.collect, query_vectors(self.experiment)
        return Request(
            how.collection,
            self.queries,
            {name: from_template(stages, vectors) for name, stages in self.experiment.pipelines.items()},
            depth=how.depth,
            concurrency=how.concurrency,
            one_request=how.one_request,
        )

    @cached_property
    def facts(self) -> dict[str, Any]:
        """What rankings depend on: for the fingerprint and for the report."""
        experiment = self.experiment
        build = self.engine.run(Command({"buildInfo": 1}, database="admin")).body
        return {
            "experiment": f"{experiment.name} {experiment.version}",
            "recipe": f"{experiment.recipe.name} {experiment.recipe.version}" if experiment.recipe else "",
            "documents": self.documents,
            "fields": experiment.data.fields,
            "indexes": [index.model_dump() for index in experiment.indexes],
            "model": experiment.data.vectors.model if experiment.data.vectors else "",
            "release": str(build.get("version", "")),
        }

    @property
    def settings(self) -> Settings:
        """How to tune."""
        experiment = self.experiment
        return Settings(
            measure=experiment.measures.optimise,
            also=experiment.measures.also,
            holdout=experiment.split.holdout,
            folds=experiment.split.folds,
            repeats=experiment.split.repeats,
            rules=experiment.search.rules,
            seconds=experiment.search.certificate_seconds,
            seed=experiment.seed,
        )
