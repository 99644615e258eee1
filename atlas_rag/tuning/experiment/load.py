"""Puts an experiment's documents and indexes into a deployment, unless they are there already."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.drivers.choose import engine_for
from atlas_rag.errors import ExperimentError
from atlas_rag.indexes import WantedIndex, ensure_indexes
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.experiment.definition import Data, Experiment
from atlas_rag.wire import drive

BATCH = 1000


def load(experiment: Experiment, collection: Any) -> int:
    """Inserts the documents into an empty collection, builds the indexes, and waits for them.

    Returns:
        The number of documents.
    Raises:
        ExperimentError: a data file is missing, or the collection holds another number of documents (7602);
            nothing is deleted here.
        SearchIndexError: an index that failed or took too long.
    """
    _check_files(experiment)
    documents = _documents(experiment.data, experiment.folder)
    there = collection.count_documents({})
    count = _lines(experiment.folder / experiment.data.documents)
    if there not in (0, count):
        raise ExperimentError(
            f"the collection {collection.name!r} holds {there} documents, the experiment {count}",
            expected="an empty collection, or one that this experiment has loaded",
            next_step="choose another collection in the experiment file, or empty this one",
        )
    while there == 0 and (batch := list(islice(documents, BATCH))):
        collection.insert_many(batch)
    if experiment.indexes:  # a server without search refuses even the question which there are
        wanted = [WantedIndex(index.name, index.type, index.definition) for index in experiment.indexes]
        engine = engine_for(collection)
        drive(ensure_indexes(engine.namespace, wanted), engine)
    return count


def _check_files(experiment: Experiment) -> None:
    data = experiment.data
    names = [data.documents, data.queries, data.judgments]
    names += [data.vectors.documents, data.vectors.queries] if data.vectors else []
    if missing := [name for name in names if not (experiment.folder / name).exists()]:
        raise ExperimentError(
            f"the data folder of the experiment {experiment.name!r} has no {missing[0]!r}",
            expected=f"the files {', '.join(names)}",
            next_step="put them there, or name their folder with --data",
        )


def queries(experiment: Experiment) -> QuerySet:
    """The experiment's queries."""
    path = experiment.folder / experiment.data.queries
    return QuerySet.from_tsv(path) if path.suffix == ".tsv" else QuerySet.from_jsonl(path)


def judgments(experiment: Experiment, asked: QuerySet) -> Judgments:
    """The experiment's judgments."""
    path = experiment.folder / experiment.data.judgments
    readers = {
        "beir": Judgments.from_beir,
        "trec": Judgments.from_trec,
        "csv": Judgments.from_csv,
        "jsonl": Judgments.from_jsonl,
    }
    if experiment.data.judgment_format == "quepid":
        return Judgments.from_quepid(path).with_query_ids(asked.id_by_text)
    return readers[experiment.data.judgment_format](path)


def query_vectors(experiment: Experiment) -> Floats | None:
    """The vectors of the queries, one row each."""
    vectors = experiment.data.vectors
    return np.load(experiment.folder / vectors.queries, allow_pickle=False) if vectors else None


def _documents(data: Data, folder: Path) -> Iterator[dict[str, Any]]:
    matrix = np.load(folder / data.vectors.documents, mmap_mode="r") if data.vectors else None
    with (folder / data.documents).open(encoding="utf-8") as lines:
        for row, line in enumerate(lines):
            record = json.loads(line)
            stored: dict[str, Any] = {"_id": record["_id"]}
            for name, keys in data.fields.items():
                stored[name] = " ".join(str(record[key]) for key in keys)
            if data.vectors and matrix is not None:
                stored[data.vectors.path] = Binary.from_vector(
                    matrix[row].tolist(), BinaryVectorDtype.FLOAT32
                )
            yield stored


def _lines(path: Path) -> int:
    with path.open("rb") as lines:
        return sum(1 for line in lines if line.strip())
