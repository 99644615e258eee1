"""An experiment on a deployment: what is asked, and what the answers depend on."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.drivers.in_process import LocalEngine
from atlas_rag.tuning.collect import Collected, Request, RunCache, acollect, collect
from atlas_rag.tuning.collect.collect import Progress
from atlas_rag.tuning.collect.keys import digest
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.experiment.content import content, data_digests, query_vectors, stored_documents
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.tuning.experiment.load import check_files, judgments, load, other_documents, queries
from atlas_rag.tuning.experiment.templates import from_template
from atlas_rag.tuning.problem.named import RANK, fusion_named
from atlas_rag.tuning.settings import Settings
from atlas_rag.version import __version__
from atlas_rag.wire import Command, Engine


@dataclass(frozen=True)
class Session:
    """Use `Session.open`.

    Args:
        collection: of PyMongo or the in-process engine.
        documents: how many it holds.
        offline: whether only what was collected before may be used; the deployment is not searched.
    """

    experiment: Experiment
    collection: Any
    queries: QuerySet
    judgments: Judgments
    documents: int
    offline: bool = False

    @classmethod
    def open(
        cls, experiment: Experiment, client: Any, *, offline: bool = False, allow: Collection[str] = ()
    ) -> Session:
        """Loads the documents where they are missing or differ, and waits for the indexes.

        Args:
            offline: load nothing; documents that are there must be the experiment's.
            allow: names of indexes whose dangerous change is wanted.
        """
        collection = client[experiment.collect.database][experiment.collect.collection]
        count = _check(experiment, collection) if offline else load(experiment, collection, allow=allow)
        asked = queries(experiment)
        return cls(experiment, collection, asked, judgments(experiment, asked), count, offline)

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
        how, vectors = self.experiment.collect, query_vectors(self.experiment, self.queries)
        return Request(
            how.collection,
            self.queries,
            {name: from_template(stages, vectors) for name, stages in self.experiment.pipelines.items()},
            depth=how.depth,
            concurrency=how.concurrency,
            one_request=how.one_request,
        )

    @cached_property
    def digests(self) -> dict[str, str]:
        """Of documents, vectors, queries and judgments."""
        return data_digests(self.experiment, self.queries, self.judgments)

    @cached_property
    def depends(self) -> dict[str, Any]:
        """What every ranking depends on beside its own stages: part of the key of each answer."""
        experiment = self.experiment
        build = self.engine.run(Command({"buildInfo": 1}, database="admin")).body
        return {
            "documents": self.digests["documents"],
            "document_vectors": self.digests["document_vectors"],
            "fields": experiment.data.fields,
            "indexes": [index.model_dump() for index in experiment.indexes],
            "model": experiment.data.vectors.model if experiment.data.vectors else "",
            "release": str(build.get("version", "")),
            "engine": self._engine_version,
        }

    @property
    def _engine_version(self) -> str:
        if not isinstance(self.engine, LocalEngine):
            return "a server"
        loss = ", loss simulated" if self.collection.deployment.simulate_loss else ""
        return f"in process, {__version__}{loss}"

    @property
    def facts(self) -> dict[str, Any]:
        """All that the figures depend on, for the report and the history."""
        experiment = self.experiment
        return {
            "experiment": f"{experiment.name} {experiment.version}",
            "recipe": f"{experiment.recipe.name} {experiment.recipe.version}" if experiment.recipe else "",
            "number of documents": self.documents,
            **self.depends,
            "digests": self.digests,
            "stages": {name: digest(stages) for name, stages in sorted(experiment.pipelines.items())},
            "depth": experiment.collect.depth,
        }

    @property
    def settings(self) -> Settings:
        """How to tune."""
        experiment = self.experiment
        return Settings(
            measure=experiment.measures.optimise,
            also=experiment.measures.also,
            fusion=fusion_named(experiment.search.fusions[0] if experiment.search.fusions else RANK),
            fusions=experiment.search.fusions[1:],
            variants=experiment.search.variants,
            current=experiment.current or None,
            classes=experiment.search.classes,
            holdout=experiment.split.holdout,
            folds=experiment.split.folds,
            repeats=experiment.split.repeats,
            rules=experiment.search.rules,
            seconds=experiment.search.certificate_seconds,
            seed=experiment.seed,
        )


def _check(experiment: Experiment, collection: Any) -> int:
    """The number of documents; those that are there must be the experiment's."""
    check_files(experiment)
    wanted, there = content(stored_documents(experiment)), content(collection.find({}))
    if there and there != wanted:
        raise other_documents(collection.name, wanted, there)
    return len(wanted)
