"""An experiment's files by content: what is stored, and the digests that tell one content from another."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bson
import numpy as np
from bson.binary import Binary, BinaryVectorDtype

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.collect.keys import digest
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import QuerySet
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.experiment.definition import Experiment

if TYPE_CHECKING:
    from atlas_rag.tuning.procedure import Tuning

TITLES = ("title", "name", "heading", "text")
"""Keys that may hold a short name of a document, in this order."""

TITLE = 80

Content = Mapping[str, str]
"""Text of an `_id` → digest of the document."""


def stored_documents(experiment: Experiment) -> Iterator[dict[str, Any]]:
    """The documents as they are stored: `_id`, the fields of the experiment, the vector.

    Raises:
        ExperimentError: a line that is no document, a key that a document lacks, or another number of
            vectors than documents (7602).
    """
    data, path = experiment.data, experiment.folder / experiment.data.documents
    matrix = None
    if data.vectors:
        matrix = np.load(experiment.folder / data.vectors.documents, mmap_mode="r")
    row = -1
    with path.open(encoding="utf-8") as lines:
        for row, line in enumerate(line for line in lines if line.strip()):
            stored = _stored(json.loads(line), data.fields, path, row)
            if data.vectors and matrix is not None:
                if row >= len(matrix):
                    break
                vector = matrix[row].tolist()
                stored[data.vectors.path] = Binary.from_vector(vector, BinaryVectorDtype.FLOAT32)
            yield stored
    if matrix is not None and row + 1 != len(matrix):
        raise _unequal("documents", row + 1, len(matrix))


def _stored(record: dict[str, Any], fields: Mapping[str, list[str]], path: Path, row: int) -> dict[str, Any]:
    wanted = ["_id", *(key for keys in fields.values() for key in keys)]
    if missing := [key for key in wanted if key not in record]:
        raise ExperimentError(
            f"{path.name}, document {row + 1} has no {', '.join(map(repr, missing))}",
            expected=f"the keys {', '.join(dict.fromkeys(wanted))} in every document",
            next_step="correct the file, or data.fields of the experiment",
        )
    joined = {name: " ".join(str(record[key]) for key in keys) for name, keys in fields.items()}
    return {"_id": record["_id"], **joined}


def content(documents: Iterator[dict[str, Any]]) -> Content:
    """The digest of each document, by the text of its id.

    Raises:
        ExperimentError: two documents of one id (7602).
    """
    found: dict[str, str] = {}
    for document in documents:
        name = str(document["_id"])
        if name in found:
            raise ExperimentError(
                f"two documents have the id {name!r}",
                expected="distinct ids",
                next_step="rename or remove one of them",
            )
        fields = dict(sorted(document.items()))
        found[name] = hashlib.sha256(bson.encode(fields)).hexdigest()[:32]
    return found


def data_digests(experiment: Experiment, asked: QuerySet, judged: Judgments) -> dict[str, str]:
    """Digests of documents, vectors, queries and judgments: one changed byte of meaning changes one of them.

    Each is told apart from the others, so that a comparison of two experiments says which one changed.
    """
    vectors = experiment.data.vectors
    plain = _without(stored_documents(experiment), vectors.path if vectors else None)
    return {
        "documents": digest([*content(plain).items()]),
        "document_vectors": _file_digest(experiment.folder / vectors.documents) if vectors else "",
        "queries": digest([[query.id, query.text, query.group] for query in asked]),
        "query_vectors": _file_digest(experiment.folder / vectors.queries) if vectors else "",
        "judgments": digest(
            {query: dict(sorted(docs.items())) for query, docs in sorted(judged.grades.items())}
        ),
    }


def titles(experiment: Experiment, tuning: Tuning) -> dict[str, str]:
    """Short names of the relevant documents of queries that change: title or beginning of the text."""
    wanted = {str(found.document) for one in tuning.outcomes if one.difference for found in one.relevant}
    shown: dict[str, str] = {}
    with (experiment.folder / experiment.data.documents).open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line) if line.strip() else {}
            if str(record.get("_id")) in wanted:
                words = next((str(record[key]) for key in TITLES if record.get(key)), "")
                shown[str(record["_id"])] = (
                    words if len(words) <= TITLE else words[:TITLE].rsplit(" ", 1)[0] + " …"
                )
    return shown


def query_vectors(experiment: Experiment, asked: QuerySet) -> Floats | None:
    """The vectors of the queries, one row each.

    Raises:
        ExperimentError: another number of vectors than queries (7602).
    """
    vectors = experiment.data.vectors
    if vectors is None:
        return None
    matrix: Floats = np.load(experiment.folder / vectors.queries, allow_pickle=False)
    if len(matrix) != len(asked):
        raise _unequal("queries", len(asked), len(matrix))
    return matrix


def _without(documents: Iterator[dict[str, Any]], path: str | None) -> Iterator[dict[str, Any]]:
    for document in documents:
        yield {name: value for name, value in document.items() if name != path}


def _file_digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:32]


def _unequal(what: str, count: int, rows: int) -> ExperimentError:
    return ExperimentError(
        f"there are {count} {what} and {rows} vectors of {what}",
        expected="a row for each of them, in the order of the file",
        next_step="embed the file again",
    )
