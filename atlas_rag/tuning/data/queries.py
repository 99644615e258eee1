"""The queries of an experiment."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.errors import ExperimentError


@dataclass(frozen=True, slots=True)
class ExperimentQuery:
    """One query.

    Args:
        id: the name judgments use for it.
        text: what the user typed.
        group: query type, such as "navigational"; "" for none. Splits are stratified by it.
        row: position in its file, ≥ 0: the row of its vector in a matrix made from the same file.
    """

    id: str
    text: str
    group: str = ""
    row: int = 0


class QuerySet(Sequence[ExperimentQuery]):
    """Queries with distinct ids, in file order."""

    def __init__(self, queries: Iterable[ExperimentQuery]) -> None:
        self._queries = tuple(queries)
        self._by_id = {query.id: query for query in self._queries}
        if len(self._by_id) != len(self._queries):
            raise ExperimentError(
                "two queries have the same id",
                expected="distinct ids",
                next_step="rename or remove one of them",
            )

    @classmethod
    def from_jsonl(cls, path: str | Path, *, group: str = "group") -> QuerySet:
        """Reads one object a line with `_id` (or `id`), `text`, and optionally the key named by `group`."""
        with Path(path).open(encoding="utf-8") as lines:
            records = [json.loads(line) for line in lines if line.strip()]
        return cls.of_records(records, group=group)

    @classmethod
    def of_records(cls, records: Iterable[dict[str, Any]], *, group: str = "group") -> QuerySet:
        """Queries from objects as in `from_jsonl`."""
        return cls(_query(record, row, group) for row, record in enumerate(records))

    @classmethod
    def from_tsv(cls, path: str | Path) -> QuerySet:
        """Reads `id <tab> text [<tab> group]`, without a header."""
        with Path(path).open(encoding="utf-8") as lines:
            rows = [line.rstrip("\r\n").split("\t") for line in lines if line.strip()]
        return cls(
            ExperimentQuery(fields[0], fields[1], fields[2] if len(fields) > 2 else "", row)
            for row, fields in enumerate(rows)
        )

    @classmethod
    def of(cls, texts: dict[str, str]) -> QuerySet:
        """Queries from a dictionary of id → text."""
        return cls(ExperimentQuery(name, text, "", row) for row, (name, text) in enumerate(texts.items()))

    def get(self, name: str) -> ExperimentQuery:
        """The query of that id; KeyError if there is none."""
        return self._by_id[name]

    @property
    def id_by_text(self) -> dict[str, str]:
        """Query text → id, for judgments that name queries by their text (`Judgments.with_query_ids`)."""
        return {query.text: query.id for query in self._queries}

    def repeated_texts(self) -> list[tuple[str, ...]]:
        """Ids of queries with the same text, case and outer spaces aside: they must not be split apart."""
        ids: dict[str, list[str]] = {}
        for query in self._queries:
            ids.setdefault(query.text.strip().casefold(), []).append(query.id)
        return [tuple(same) for same in ids.values() if len(same) > 1]

    def split(self, holdout: float, *, seed: int) -> tuple[QuerySet, QuerySet]:
        """Tuning and held-out queries: a seeded draw of the share `holdout` (0…1) from each group.

        Queries with the same text stay on the same side.
        """
        if not 0 < holdout < 1:
            raise ExperimentError(f"holdout {holdout} is not a share", expected="a number between 0 and 1")
        draw = random.Random(seed)  # noqa: S311 - a reproducible split, not a secret
        held: set[str] = set()
        for families in self._families_by_group().values():
            draw.shuffle(families)
            wanted = round(holdout * sum(map(len, families)))
            for family in families:
                if wanted <= 0:
                    break
                held.update(family)
                wanted -= len(family)
        tuning = QuerySet(query for query in self._queries if query.id not in held)
        return tuning, QuerySet(query for query in self._queries if query.id in held)

    def _families_by_group(self) -> dict[str, list[list[str]]]:
        families: dict[tuple[str, str], list[str]] = {}
        for query in self._queries:
            families.setdefault((query.group, query.text.strip().casefold()), []).append(query.id)
        groups: dict[str, list[list[str]]] = {}
        for (group, _), ids in families.items():
            groups.setdefault(group, []).append(ids)
        return groups

    def __getitem__(self, index: Any) -> Any:
        return self._queries[index]

    def __len__(self) -> int:
        return len(self._queries)

    def __iter__(self) -> Iterator[ExperimentQuery]:
        return iter(self._queries)


def _query(record: dict[str, Any], row: int, group: str) -> ExperimentQuery:
    name = record.get("_id", record.get("id"))
    if name is None or "text" not in record:
        raise ExperimentError(
            f"query {row + 1} has the keys {sorted(record)}",
            expected="'_id' and 'text'",
            next_step="correct the file",
        )
    return ExperimentQuery(str(name), str(record["text"]), str(record.get(group, "")), row)
