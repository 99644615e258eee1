"""The union of the input pipelines' ranked lists, query by query."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.runs import Floats, Ints, Runs


@dataclass(frozen=True, slots=True)
class Pool:
    """One row per (query, document) that any input pipeline found, in query and then `_id` order.

    Args:
        start: first row of each query, one more entry than queries.
        document: document number of each row.
        ranks: competition rank in each input pipeline (second axis, alphabetical); 0 where absent.
        scores: the pipeline's own score; NaN where absent.
    """

    runs: Runs
    start: Ints
    document: Ints
    ranks: Ints
    scores: Floats

    @classmethod
    def of(cls, runs: Runs) -> Pool:
        """Joins the lists. A document twice in one list counts at its better rank, as for the server."""
        count = max(len(runs.documents), 1)
        keys = [lists.query.astype(np.int64) * count + lists.document for lists in runs.lists.values()]
        rows = np.unique(np.concatenate(keys)) if keys else np.zeros(0, dtype=np.int64)
        ranks = np.zeros((len(rows), len(keys)), dtype=np.int32)
        scores = np.full((len(rows), len(keys)), np.nan)
        for column, (key, lists) in enumerate(zip(keys, runs.lists.values(), strict=True)):
            place = np.searchsorted(
                rows, key[::-1]
            )  # reversed: of two assignments the better rank is the last
            ranks[place, column] = lists.rank[::-1]
            scores[place, column] = lists.score[::-1]
        start = np.searchsorted(rows, np.arange(len(runs.queries) + 1, dtype=np.int64) * count)
        return cls(runs, start.astype(np.int32), (rows % count).astype(np.int32), ranks, scores)

    @property
    def query(self) -> Ints:
        """The query number of each row."""
        return np.repeat(np.arange(len(self.start) - 1, dtype=np.int32), np.diff(self.start))

    def grades(self, judgments: Judgments) -> NDArray[np.int16]:
        """The grade of each row; -1 where the document is not judged, negative grades as 0."""
        grades = np.full(len(self.document), -1, dtype=np.int16)
        number = _number_by_name(self.runs)
        for place, query in enumerate(self.runs.queries):
            judged = judgments.grades.get(query)
            if not judged:
                continue
            first, last = self.start[place], self.start[place + 1]
            known = [(number[doc], grade) for doc, grade in judged.items() if doc in number]
            documents = np.array([doc for doc, _ in known], dtype=np.int32)
            values = np.array([max(grade, 0) for _, grade in known], dtype=np.int16)
            rows = np.searchsorted(self.document[first:last], documents)
            inside = rows < last - first
            inside[inside] = self.document[first:last][rows[inside]] == documents[inside]
            grades[first + rows[inside]] = values[inside]
        return grades


def _number_by_name(runs: Runs) -> dict[str, int]:
    """Document numbers by the id's text, which is how judgments name documents."""
    number = {str(document): place for place, document in enumerate(runs.documents)}
    if len(number) != len(runs.documents):
        raise ExperimentError(
            "two documents have ids that read the same as text, such as 1 and '1'",
            expected="ids that judgments can tell apart",
            next_step="give the documents distinct ids",
        )
    return number
