"""Runs of the in-process engine on the public collections that lie beside the repository."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from atlas_rag import LocalClient
from atlas_rag.drivers.choose import engine_for
from atlas_rag.tuning.collect import Request, collect
from atlas_rag.tuning.data import Judgments, QuerySet, Runs
from atlas_rag.tuning.experiment import Experiment
from atlas_rag.tuning.experiment.content import query_vectors
from atlas_rag.tuning.experiment.definition import Index
from atlas_rag.tuning.experiment.load import judgments, load, queries
from atlas_rag.tuning.experiment.session import Session
from atlas_rag.tuning.experiment.templates import from_template
from tests.support.places import ROOT

EXPERIMENTS = ROOT / "pipelines" / "experiments"
TITLE = {"dynamic": False, "fields": {"title": {"type": "string", "analyzer": "lucene.english"}}}


def with_title(experiment: Experiment) -> Experiment:
    """The experiment with a third input pipeline: keywords in the title alone."""
    fields = {**experiment.data.fields, "title": ["title"]}
    stages: list[dict[str, Any]] = [
        {"$search": {"index": "title_index", "text": {"query": "{text}", "path": "title"}}}
    ]
    index = Index(name="title_index", type="search", definition={"mappings": TITLE})
    return experiment.model_copy(
        update={
            "data": experiment.data.model_copy(update={"fields": fields}),
            "indexes": [*experiment.indexes, index],
            "pipelines": {**experiment.pipelines, "title": stages},
        }
    )


@functools.cache
def collected(name: str, data: Path) -> tuple[Runs, Judgments, QuerySet]:
    """Keyword, title and vector runs to depth 100, with judgments and queries."""
    experiment = with_title(Experiment.read(EXPERIMENTS / f"{name}.toml", data=data))
    asked = queries(experiment)
    vectors = query_vectors(experiment, asked)
    pipelines = {key: from_template(stages, vectors) for key, stages in experiment.pipelines.items()}
    with LocalClient() as client:
        collection = client[experiment.collect.database][experiment.collect.collection]
        load(experiment, collection)
        request = Request(experiment.collect.collection, asked, pipelines, depth=experiment.collect.depth)
        return collect(engine_for(collection), request).runs, judgments(experiment, asked), asked


@functools.cache
def training(data: Path) -> tuple[Runs, Judgments]:
    """SciFact's 809 training queries: keyword and vector runs to depth 100, with judgments."""
    experiment = Experiment.read(EXPERIMENTS / "scifact.toml", data=data)
    vectors = experiment.data.vectors
    changes = {
        "queries": "queries.train.jsonl",
        "judgments": "qrels.train.tsv",
        "vectors": vectors and vectors.model_copy(update={"queries": "minilm_queries_train.npy"}),
    }
    experiment = experiment.model_copy(update={"data": experiment.data.model_copy(update=changes)})
    with LocalClient() as client:
        session = Session.open(experiment, client)
        runs = session.collect(None, lambda done, total: None).runs
        return runs, session.judgments
