"""Reading judgments and queries."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeAlias

import pytest

from atlas_rag.errors import Code, ExperimentError
from atlas_rag.tuning.data import ExperimentQuery, Judgments, QuerySet

Write: TypeAlias = Callable[[str], Path]

EXPECTED = {"q1": {"d1": 2, "d2": 0}, "q2": {"d1": 1}}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def _write(text: str) -> Path:
        path = tmp_path / "file"
        path.write_text(text, encoding="utf-8")
        return path

    return _write


def test_beir(write: Write) -> None:
    path = write("query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq2\td1\t1\n")
    assert Judgments.from_beir(path).grades == EXPECTED


def test_trec(write: Write) -> None:
    assert Judgments.from_trec(write("q1 0 d1 2\nq1 0 d2 0\n\nq2 Q0 d1 1\n")).grades == EXPECTED


def test_csv_with_named_columns(write: Write) -> None:
    path = write("grade,q,doc\n2,q1,d1\n0,q1,d2\n1,q2,d1\n")
    assert Judgments.from_csv(path, query="q", document="doc").grades == EXPECTED


def test_jsonl(write: Write) -> None:
    path = write(
        '{"query":"q1","document":"d1","grade":2}\n{"query":"q1","document":"d2","grade":0}\n'
        '{"query":"q2","document":"d1","grade":1}\n'
    )
    assert Judgments.from_jsonl(path).grades == EXPECTED


@pytest.mark.parametrize("header", ["query,docid,rating", "Query Text,Doc ID,Rating"])
def test_quepid_leaves_out_what_is_not_rated_yet(write: Write, header: str) -> None:
    path = write(f'{header}\n"star wars, the first",11,3\n"star wars, the first",12,\n')
    judgments = Judgments.from_quepid(path)
    assert judgments.grades == {"star wars, the first": {"11": 3}}
    queries = QuerySet.of({"q7": "star wars, the first"})
    assert judgments.with_query_ids(queries.id_by_text).grades == {"q7": {"11": 3}}


def test_contradicting_grades_are_refused() -> None:
    with pytest.raises(ExperimentError, match="the grades 1 and 2") as caught:
        Judgments.from_rows([("q", "d", 1), ("q", "d", 2)])
    assert caught.value.code == Code.EXPERIMENT_INVALID


def test_a_fraction_is_no_grade() -> None:
    with pytest.raises(ExperimentError, match="not a whole number"):
        Judgments.of({"q": {"d": 0.5}})


def test_a_malformed_line_is_named(write: Write) -> None:
    with pytest.raises(ExperimentError, match="line 3"):
        Judgments.from_beir(write("query-id\tcorpus-id\tscore\nq\td\t1\nq\td\n"))


def test_queries_keep_group_and_row(write: Write) -> None:
    queries = QuerySet.from_jsonl(write('{"_id":"a","text":"one","group":"x"}\n{"_id":"b","text":"two"}\n'))
    assert list(queries) == [ExperimentQuery("a", "one", "x", 0), ExperimentQuery("b", "two", "", 1)]


def test_a_split_is_seeded_and_takes_its_share_of_every_group() -> None:
    queries = QuerySet(
        ExperimentQuery(f"{group}{n}", f"text {group} {n}", group, n) for group in "xyz" for n in range(20)
    )
    tuning, held = queries.split(0.3, seed=4)
    assert [q.id for q in queries.split(0.3, seed=4)[1]] == [q.id for q in held]
    assert [q.id for q in queries.split(0.3, seed=5)[1]] != [q.id for q in held]
    assert {group: sum(q.group == group for q in held) for group in "xyz"} == {"x": 6, "y": 6, "z": 6}
    assert {q.id for q in tuning} | {q.id for q in held} == {q.id for q in queries}
    assert len(tuning) + len(held) == 60


def test_the_same_text_is_never_on_both_sides() -> None:
    queries = QuerySet(
        ExperimentQuery(str(n), f"Text {n % 10}" if n < 10 else f" text {n % 10}") for n in range(20)
    )
    assert len(queries.repeated_texts()) == 10
    for seed in range(20):
        tuning, held = queries.split(0.5, seed=seed)
        assert not {q.text.strip().lower() for q in tuning} & {q.text.strip().lower() for q in held}
