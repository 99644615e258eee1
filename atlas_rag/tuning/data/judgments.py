"""Which documents answer which query, and how well."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data import judgment_files


@dataclass(frozen=True, slots=True)
class Judgments:
    """Relevance grades by query and document.

    Args:
        grades: query id → document id → grade, an integer. 1 and above is relevant (more is better);
            0 and below was judged and found irrelevant. A document that is not named is unjudged.
    """

    grades: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, grades: Mapping[str, Mapping[str, float]]) -> Judgments:
        """Judgments from a plain dictionary; ids and grades are checked and copied."""
        rows = ((query, doc, grade) for query, docs in grades.items() for doc, grade in docs.items())
        return cls.from_rows(rows)

    @classmethod
    def from_rows(cls, rows: Iterable[tuple[str, str, float]]) -> Judgments:
        """Judgments from (query, document, grade) rows.

        Raises:
            ExperimentError: a grade is no integer, or a document has two grades for one query (7602).
        """
        table: dict[str, dict[str, int]] = {}
        for query, document, grade in rows:
            docs = table.setdefault(str(query), {})
            whole = _whole(grade, query, document)
            if docs.setdefault(str(document), whole) != whole:
                raise ExperimentError(
                    f"document {document!r} has the grades {docs[str(document)]} and {whole} for {query!r}",
                    expected="one grade per query and document",
                    next_step="remove or merge the contradicting judgments",
                )
        return cls(table)

    @classmethod
    def from_beir(cls, path: str | Path) -> Judgments:
        """Reads `query-id  corpus-id  score`, tab-separated, with that header line."""
        return cls.from_rows(judgment_files.beir(Path(path)))

    @classmethod
    def from_trec(cls, path: str | Path) -> Judgments:
        """Reads TREC qrels: `query iteration document grade`, separated by white space."""
        return cls.from_rows(judgment_files.trec(Path(path)))

    @classmethod
    def from_csv(
        cls, path: str | Path, *, query: str = "query", document: str = "document", grade: str = "grade"
    ) -> Judgments:
        """Reads a CSV file with a header; the arguments name its columns."""
        return cls.from_rows(judgment_files.csv_columns(Path(path), (query, document, grade)))

    @classmethod
    def from_jsonl(
        cls, path: str | Path, *, query: str = "query", document: str = "document", grade: str = "grade"
    ) -> Judgments:
        """Reads one JSON object a line; the arguments name its keys."""
        return cls.from_rows(judgment_files.jsonl(Path(path), (query, document, grade)))

    @classmethod
    def from_quepid(cls, path: str | Path) -> Judgments:
        """Reads a ratings export of Quepid; its queries are texts, see `with_query_ids`."""
        return cls.from_rows(judgment_files.quepid(Path(path)))

    def with_query_ids(self, id_by_text: Mapping[str, str]) -> Judgments:
        """The same judgments with query texts replaced by ids; texts without an id are left out."""
        return Judgments({id_by_text[text]: docs for text, docs in self.grades.items() if text in id_by_text})

    def relevant(self, query: str) -> dict[str, int]:
        """The relevant documents of a query with their grades (≥ 1); empty for an unjudged query."""
        return {doc: grade for doc, grade in self.grades.get(query, {}).items() if grade > 0}

    @property
    def queries(self) -> tuple[str, ...]:
        """Queries with at least one judgment, in the order they were given."""
        return tuple(query for query, docs in self.grades.items() if docs)

    def __len__(self) -> int:
        return sum(map(len, self.grades.values()))


def _whole(grade: float, query: str, document: str) -> int:
    if isinstance(grade, bool) or grade != int(grade):
        raise ExperimentError(
            f"grade {grade!r} of document {document!r} for query {query!r} is not a whole number",
            expected="an integer, 0 for irrelevant, 1 and more for relevant",
            next_step="map the ratings to whole grades before loading them",
            code=Code.EXPERIMENT_INVALID,
        )
    return int(grade)
