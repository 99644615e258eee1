"""Puts an experiment's documents and indexes into a deployment, unless they are there already."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from atlas_rag.drivers.choose import engine_for
from atlas_rag.errors import ExperimentError
from atlas_rag.indexes import WantedIndex, ensure_indexes
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.experiment.content import Content, content, stored_documents
from atlas_rag.tuning.experiment.definition import Experiment
from atlas_rag.wire import drive

BATCH = 1000

LOADED = "atlas_rag_loaded"
"""Collection in which a load is noted: only what was loaded by an experiment is ever replaced by one."""


def load(experiment: Experiment, collection: Any, *, allow: Collection[str] = ()) -> int:
    """Makes the collection hold the experiment's documents, builds the indexes, and waits for them.

    What is there is compared by content, document by document, not by number. Documents that an experiment
    has loaded are brought up to date; a collection that something else has filled is left alone.

    Args:
        allow: names of indexes whose dangerous change is wanted, see `ensure_indexes`.
    Returns:
        The number of documents.
    Raises:
        ExperimentError: a data file is missing or does not fit, or the collection holds other documents that
            no experiment has loaded (7602); nothing of them is changed or deleted.
        SearchIndexError: an index that failed or took too long, or a change that is not allowed.
    """
    check_files(experiment)
    wanted, there = content(stored_documents(experiment)), content(collection.find({}))
    if wanted != there:
        _bring_up_to_date(experiment, collection, wanted, there)
    if experiment.indexes:  # a server without search refuses even the question which there are
        indexes = [WantedIndex(index.name, index.type, index.definition) for index in experiment.indexes]
        engine = engine_for(collection)
        drive(ensure_indexes(engine.namespace, indexes, allow=allow), engine)
    return len(wanted)


def _bring_up_to_date(experiment: Experiment, collection: Any, wanted: Content, there: Content) -> None:
    notes = collection.database[LOADED]
    if there and notes.find_one({"_id": collection.name}) is None:
        raise other_documents(collection.name, wanted, there)
    notes.replace_one({"_id": collection.name}, {"experiment": experiment.name}, upsert=True)
    if gone := [name for name in there if name not in wanted]:
        names = set(gone)
        ids = [row["_id"] for row in collection.find({}, {"_id": 1}) if str(row["_id"]) in names]
        collection.delete_many({"_id": {"$in": ids}})
    for document in stored_documents(experiment):
        name = str(document["_id"])
        if name in there and there[name] != wanted[name]:
            collection.replace_one({"_id": document["_id"]}, document)
    new = (one for one in stored_documents(experiment) if str(one["_id"]) not in there)
    for batch in _batches(new):
        collection.insert_many(batch)


def other_documents(name: str, wanted: Content, there: Content) -> ExperimentError:
    """The refusal of a collection whose documents are not the experiment's."""
    differing = [one for one in {**wanted, **there} if wanted.get(one) != there.get(one)]
    return ExperimentError(
        f"the collection {name!r} holds {len(there)} documents, the experiment {len(wanted)}; "
        f"{len(differing)} differ, such as {differing[0]!r}",
        expected="an empty collection, or one that this experiment has loaded",
        next_step="choose another collection in the experiment file, or empty this one",
    )


def _batches(documents: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while batch := list(islice(documents, BATCH)):
        yield batch


def check_files(experiment: Experiment) -> None:
    """Raises ExperimentError that names every file that is missing (7602)."""
    data = experiment.data
    names = [data.documents, data.queries, data.judgments]
    names += [data.vectors.documents, data.vectors.queries] if data.vectors else []
    if missing := [name for name in names if not (experiment.folder / name).exists()]:
        raise ExperimentError(
            f"the data folder of the experiment {experiment.name!r} has no {', '.join(map(repr, missing))}",
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
