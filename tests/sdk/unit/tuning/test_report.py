"""What is written, and that it says what was found."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import ir_measures
import pytest
from ir_measures import nDCG

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.diagnosis.judging import to_judge
from atlas_rag.tuning.experiment.history import History, difference, read_record, record
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
    assert f"optimum of the tuning queries, {tuning.optimum.weights[0]:.4g}" in page


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
        "to_judge.csv",
    ]
    weights = json.loads(files[1].read_text())
    assert weights["gain"]["estimate"] == tuning.verdict.gain.estimate  # type: ignore[union-attr]
    assert weights["thresholds"]["a"]["goal"] == "precision"
    assert weights["classes"]["rows"][0]["queries"] > 0 if weights["classes"] else tuning.classes is None
    assert weights["weights"] == tuning.weights
    assert sum(weights["weights"].values()) == pytest.approx(1)
    assert weights["facts"] == {"release": "8.2"}
    with files[2].open(newline="") as table:
        rows = list(csv.DictReader(table))
    assert len(rows) == 60
    differences = [float(row["difference"]) for row in rows]
    assert differences == sorted(differences)


def test_the_page_on_top_says_what_to_do_what_it_gains_and_who_loses() -> None:
    tuning = tuned(2, strengths=(1.2, 2.6), queries=120)
    losers = [one for one in tuning.outcomes if one.difference < 0]
    titles = {str(found.document): f"Title of {found.document}" for one in losers for found in one.relevant}
    shown = replace(context(tuning), titles=titles, looks=3, latency={"a": 0.004, "b": 0.009})
    top = html_report(tuning, shown).split("</header>")[0]
    gain, test = tuning.verdict.gain, tuning.holdout_test
    assert gain is not None
    assert test is not None
    assert tuning.verdict.rule != "equal"
    assert re.search(r"class=verdict>Use ", top)
    for words in (f"{gain.estimate:+.4f}", f"{gain.interval[0]:+.4f}", f"{test.difference:+.4f}"):
        assert words in top
    assert "looked at 3 times" in top
    assert f"{losers[0].difference:+.3f}" in top
    assert f"Title of {losers[0].relevant[0].document}" in top
    if any(one.query in tuning.held_queries for one in losers[:5]):
        assert "class=tag>hold-out" in top


def test_the_last_run_stands_beside_this_one() -> None:
    first, second = tuned(2), tuned(2, queries=70)
    before = record(first, {"release": "8.0"})
    page = html_report(second, replace(context(second), previous=before))
    assert "Since the last run" in page
    assert "Changed: release." in page
    assert f"Over the {len(first.outcomes)} queries of both runs" in page
    assert "Since the last run" not in html_report(second, context(second))


def test_a_history_numbers_runs_and_counts_looks_at_a_hold_out(tmp_path: Path) -> None:
    history = History(tmp_path / "history")
    first, other = tuned(2), tuned(2, queries=70)
    assert history.last() is None
    assert [history.look(one) for one in (first, first, other, first)] == [1, 2, 1, 3]
    assert history.look(tuned(2, holdout=0.0)) == 0
    for tuning, facts in ((first, {"release": "8.0"}), (other, {"release": "8.2"})):
        history.add(tuning, facts)
    assert [path.name for path in history.files] == ["0001.json", "0002.json"]
    found = difference(*map(read_record, history.files))
    assert found.inputs == ("release",)
    assert len(found.added) == 10
    assert found.removed == ()
    last = history.last()
    assert last is not None
    assert last["per_query"] == {one.query: [one.before, one.after] for one in other.outcomes}


def test_what_is_no_record_of_a_run_is_refused(tmp_path: Path) -> None:
    for text in ("[", "{}"):
        (tmp_path / "0001.json").write_text(text)
        with pytest.raises(ExperimentError, match="no record of a run"):
            History(tmp_path).last()


def test_documents_to_judge_are_unjudged_and_shown_first_where_most_show_them() -> None:
    problem = tuned(2).problem
    found = to_judge(problem, cutoff=5)
    assert found
    for one in found:
        assert str(one.document) not in problem.judgments.grades[one.query]
        assert one.rank <= 5
    assert [one.shown for one in found] == sorted((one.shown for one in found), reverse=True)
    shown = {(one.query, one.document) for one in found}
    for weights in ([1, 1], [1, 0], [0, 1]):
        for query, rows in problem.ranking(weights, limit=5).items():
            for document, _ in rows:
                assert str(document) in problem.judgments.grades[query] or (query, document) in shown


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
