"""What is written, and that it says what was found."""

from __future__ import annotations

import csv
import json
import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import ir_measures
import pytest
from ir_measures import nDCG

from atlas_rag.tuning.optimum import Plateau, shortest_decimals
from atlas_rag.tuning.report import Context, html_report, write_report
from atlas_rag.tuning.report.svg import round_ticks
from tests.support.tunings import context, tuned


@pytest.mark.parametrize("pipelines", [1, 2, 3, 4])
def test_a_page_is_self_contained_and_its_drawings_are_well_formed(pipelines: int) -> None:
    tuning = tuned(pipelines)
    page = html_report(tuning, context(tuning))
    assert not re.search(r"<script|<link|<img|https?://(?!www\.w3\.org/2000/svg)|@import|url\(", page)
    assert "A &lt;title&gt;" in page
    assert "<text>" not in re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL)
    drawings = re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL)
    assert len(drawings) >= (3 if pipelines in (2, 3) else 2)
    for drawing in drawings:
        assert not re.search(r"\bnan\b|\binf\b", drawing)
        ElementTree.fromstring(drawing)  # noqa: S314 - our own markup


def test_numbers_on_the_page_are_those_of_the_tuning() -> None:
    tuning = tuned(2)
    page = html_report(tuning, context(tuning))
    for row in tuning.rows:
        assert f"{row.tuning:.4f}" in page
    assert tuning.verdict.sentence.split(":")[0] in page
    assert f"optimum {tuning.optimum.weights[0]:.4g}" in page


def test_the_files_are_complete_and_agree(tmp_path: Path) -> None:
    tuning = tuned(2)
    files = write_report(tmp_path / "out", tuning, context(tuning))
    assert [path.name for path in files] == [
        "report.html",
        "weights.json",
        "per_query.csv",
        "unreachable.csv",
        "equal.trec",
        "recommended.trec",
    ]
    weights = json.loads(files[1].read_text())
    assert weights["weights"] == tuning.weights
    assert sum(weights["weights"].values()) == pytest.approx(1)
    assert weights["facts"] == {"release": "8.2"}
    with files[2].open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 60
    differences = [float(row["difference"]) for row in rows]
    assert differences == sorted(differences)


def test_unreachable_documents_are_listed_with_the_reason(tmp_path: Path) -> None:
    tuning = tuned(2)
    files = {path.name: path for path in write_report(tmp_path, tuning, context(tuning))}
    with files["unreachable.csv"].open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == len(tuning.unreachable) > 0
    assert {row["reason"] for row in rows} <= {"not found", "outranked"}
    assert (
        f"{sum(row['reason'] == 'outranked' for row in rows)} are outranked"
        in files["report.html"].read_text()
    )


def test_trec_eval_gives_the_run_files_our_values(tmp_path: Path) -> None:
    tuning = tuned(2, holdout=0.0)
    files = write_report(tmp_path, tuning, context(tuning))
    run = list(ir_measures.read_trec_run(str(files[4])))
    grades = tuning.problem.judgments.grades
    qrels = [
        ir_measures.Qrel(query, doc, grade) for query, docs in grades.items() for doc, grade in docs.items()
    ]
    found = {one.query_id: one.value for one in ir_measures.iter_calc([nDCG @ 10], qrels, run)}
    ours = dict(zip(tuning.problem.queries, tuning.problem.per_query([1, 1])[:, 0].tolist(), strict=True))
    assert found == ours


def test_shortened_weights_rank_every_query_the_same() -> None:
    for pipelines in (2, 3):
        tuning = tuned(pipelines)
        short = shortest_decimals(tuning.problem, tuning.optimum.weights)
        full = tuning.problem.per_query(tuning.optimum.weights)
        assert (full == tuning.problem.per_query(short)).all()
        assert short.sum() == pytest.approx(1, abs=1e-12)
        assert max(len(repr(float(weight))) for weight in short) <= 9


@pytest.mark.parametrize(
    ("low", "high", "shortest"),
    [(0.449, 0.5005, 0.5), (0.55538, 0.55561, 0.5555), (0.0, 1.0, 0.5), (0.5, 0.51, 0.505), (0.1, 0.2, 0.15)],
)
def test_the_shortest_decimal_lies_strictly_inside(low: float, high: float, shortest: float) -> None:
    assert Plateau(low, high).shortest == shortest


def test_equal_weights_are_recommended_as_they_are() -> None:
    tuning = tuned(3, queries=8)
    assert tuning.weights == dict.fromkeys("abc", 1 / 3)
    assert tuning.held is None


@pytest.mark.parametrize("pipelines", [1, 2, 3, 5])
def test_a_single_query_can_be_tuned_without_a_claim(pipelines: int) -> None:
    tuning = tuned(pipelines, queries=1)
    assert not tuning.verdict.enough
    assert "Too few judged queries" in html_report(tuning, context(tuning))


def test_too_few_queries_are_reported_as_such() -> None:
    tuning = tuned(2, queries=12, holdout=0.0)
    assert not tuning.verdict.enough
    assert tuning.weights == {"a": 0.5, "b": 0.5}
    assert "Too few judged queries to name a winner" in html_report(tuning, Context())


@pytest.mark.parametrize(("low", "high"), [(0.64, 0.73), (0, 1), (-0.5, 0.5), (0, 37), (0.70012, 0.70019)])
def test_ticks_are_few_round_and_inside(low: float, high: float) -> None:
    ticks = round_ticks(low, high)
    assert 2 <= len(ticks) <= 7
    assert all(low - 1e-9 <= tick <= high + 1e-9 for tick in ticks)
    steps = {round(after - before, 9) for before, after in pairwise(ticks)}
    assert len(steps) == 1
