"""What is said about queries, documents, weights and thresholds."""

from __future__ import annotations

import numpy as np
import pytest

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.diagnosis import calibrate_threshold, coverage, gates, outcomes, unreachable, warnings
from atlas_rag.tuning.problem import FusionProblem
from tests.support.honesty import thresholds_met
from tests.support.synthetic import synthetic


def ranked(*names: str) -> list[tuple[str, float]]:
    return [(name, float(len(names) - place)) for place, name in enumerate(names)]


def problem() -> FusionProblem:
    runs = Runs.of(
        {
            "text": {"q1": ranked("a", "b", "c"), "q2": ranked("x", "y"), "q3": ranked("m")},
            "vector": {"q1": ranked("c", "b", "d"), "q2": ranked("y", "x"), "q3": []},
        }
    )
    grades = {"q1": {"a": 1, "d": 0}, "q2": {"y": 2, "z": 1}, "q3": {"n": 1}, "q4": {"a": 1}}
    return FusionProblem(runs, Judgments.of(grades), "nDCG@2")


def test_outcomes_name_winners_losers_and_ranks() -> None:
    found = outcomes(problem(), [1, 0], [0, 1])
    assert [outcome.query for outcome in found] == ["q1", "q3", "q2"]
    loser, neutral, winner = found
    assert (loser.before, loser.after) == (1.0, 0.0)
    assert loser.relevant[0].ranks == {"text": 1, "vector": None}
    assert (loser.relevant[0].before, loser.relevant[0].after) == (1, 4)
    assert neutral.difference == 0
    assert neutral.relevant == ()
    assert (winner.relevant[0].document, winner.relevant[0].grade) == ("y", 2)
    assert (winner.relevant[0].before, winner.relevant[0].after) == (2, 1)


def test_unreachable_documents_are_outranked_or_not_found() -> None:
    runs = Runs.of({"a": {"q": ranked("1", "2", "3", "r")}, "b": {"q": ranked("3", "2", "1", "r")}})
    found = unreachable(FusionProblem(runs, Judgments.of({"q": {"r": 1, "s": 1, "1": 1}}), "nDCG@3"))
    assert [(entry.document, entry.reason, entry.ahead) for entry in found] == [
        ("r", "outranked", 3),
        ("s", "not found", 0),
    ]


def test_no_weights_reach_an_unreachable_document() -> None:
    some = FusionProblem(*synthetic(queries=30, depth=40, pipelines=3, seed=6), "nDCG@5")
    out = {(entry.query, entry.document) for entry in unreachable(some) if entry.reason == "outranked"}
    assert out
    for weights in np.random.default_rng(2).dirichlet(np.ones(3), 200):
        fused = some.ranking(weights, limit=5)
        assert not {(query, row[0]) for query, rows in fused.items() for row in rows} & out


def test_coverage_counts_judged_documents_and_hopeless_queries() -> None:
    shown = coverage(problem(), [1, 1], cutoff=2)
    assert shown.judged == pytest.approx((0 / 2 + 1 / 2 + 0 / 1) / 3)
    assert shown.nothing_found == ("q3",)
    assert shown.without_relevant == ()


def test_the_gate_closes_at_534_thousandths_of_ten_places() -> None:
    (gate,) = gates(problem(), [0.6, 0.4])
    assert (gate.heavier, gate.other, gate.closed) == ("text", "vector", True)
    assert gate.share == pytest.approx(70 / 131)
    assert not gates(problem(), [0.52, 0.48])[0].closed


def test_behind_a_closed_gate_no_document_of_the_other_alone_is_shown() -> None:
    some = FusionProblem(*synthetic(queries=30, depth=40, pipelines=2, seed=6))
    for share in (0.5345, 0.6, 0.9):
        only_b = some.pool.ranks[:, 0] == 0
        for place, query in enumerate(some.queries):
            rows = slice(some.pool.start[place], some.pool.start[place + 1])
            alone = {some.runs.documents[doc] for doc in some.pool.document[rows][only_b[rows]]}
            assert not alone & {row[0] for row in some.ranking([share, 1 - share], limit=10)[query]}


def test_warnings_are_given_where_they_are_due_only() -> None:
    few = warnings(problem(), np.array([1.0, 0.0]))
    assert any("judged" in line for line in few)
    assert any("weight of vector is 0" in line for line in few)
    assert not any("cannot enter" in line for line in few)  # no pipeline returns ten documents
    runs = Runs.of({"a": {"q": ranked("1", "2")}, "b": {"q": ranked("2", "1")}})
    good = FusionProblem(runs, Judgments.of({"q": {"1": 1, "2": 0}}))
    assert warnings(good, np.array([0.5, 0.5])) == []


def test_the_gate_is_told_for_the_queries_that_return_enough_documents() -> None:
    many = [f"d{place}" for place in range(12)]
    lists = {
        "a": {"q1": ranked(*many), "q2": ranked(*many[:9]), "q3": ranked(*many)},
        "b": {"q1": ranked("x"), "q2": ranked("x"), "q3": ranked("x")},
    }
    judged = Judgments.of({query: {"x": 1} for query in ("q1", "q2", "q3")})
    some = FusionProblem(Runs.of(lists), judged)
    (gate,) = gates(some, [0.6, 0.4])
    assert (gate.closed, gate.short) == (True, 1)
    assert any(
        "cannot enter the first 10 in 2 of 3 queries" in line for line in warnings(some, np.array([0.6, 0.4]))
    )
    ranks = {query: [row[0] for row in rows].index("x") for query, rows in some.ranking([0.6, 0.4]).items()}
    assert [query for query, rank in ranks.items() if rank < 10] == ["q2"]


def test_a_threshold_meets_its_precision_and_keeps_as_much_as_it_can() -> None:
    some = FusionProblem(*synthetic(queries=80, depth=40, pipelines=2, seed=6))
    found = calibrate_threshold(some, "precision", 0.7, pipeline="a", unjudged="skip")
    scores = some.pool.scores[:, 0]
    judged = (some.grades >= 0) & ~np.isnan(scores)

    def precision(threshold: float) -> float:
        kept = judged & (scores >= threshold)
        return float((some.grades[kept] > 0).mean())

    assert found.score is not None
    assert found.precision == pytest.approx(precision(found.score))
    assert found.precision >= 0.7
    lower = sorted(set(scores[judged & (scores < found.score)]))
    assert all(precision(score) < 0.7 for score in lower)
    assert found.interval is not None
    assert found.interval[0] <= found.score <= found.interval[1]


def test_a_threshold_for_recall_is_the_highest_that_keeps_enough() -> None:
    some = FusionProblem(*synthetic(queries=80, depth=40, pipelines=2, seed=6))
    found = calibrate_threshold(some, "recall", 0.5, weights=[0.5, 0.5])
    fused = some.fused_scores(np.array([0.5, 0.5]))
    wanted = some.ideal.relevant.sum()
    assert found.score is not None
    assert (some.grades[fused >= found.score] > 0).sum() / wanted >= 0.5
    assert (some.grades[fused > found.score] > 0).sum() / wanted < 0.5


def test_a_threshold_with_a_confidence_holds_on_other_queries() -> None:
    some = FusionProblem(*synthetic(queries=120, depth=40, pipelines=2, seed=6))
    plain = calibrate_threshold(some, "recall", 0.5, weights=[0.5, 0.5])
    sure = calibrate_threshold(some, "recall", 0.5, weights=[0.5, 0.5], confidence=0.9)
    assert plain.score is not None
    assert sure.score is not None
    assert sure.score < plain.score
    assert plain.met is not None
    assert sure.met is not None
    assert plain.met < 0.75
    assert sure.met >= 0.88
    assert sure.validated is not None
    assert sure.validated < sure.recall + 0.03
    for goal, target in (("recall", 0.5), ("precision", 0.2)):
        met, count = thresholds_met(some, goal, target, None, runs=100, confidence=0.9)  # type: ignore[arg-type]
        assert count >= 50
        assert met >= 0.88


def test_what_depth_keeps_from_a_recall_is_said() -> None:
    runs = Runs.of({"a": {"q1": ranked("x"), "q2": ranked("y")}})
    some = FusionProblem(runs, Judgments.of({"q1": {"x": 1, "z": 1}, "q2": {"y": 1, "w": 1}}))
    found = calibrate_threshold(some, "recall", 0.8, pipeline="a")
    assert (found.score, found.attainable, found.capped) == (None, 0.5, True)
    assert not calibrate_threshold(some, "recall", 0.4, pipeline="a").capped


@pytest.mark.parametrize("confidence", [0.5, 1.0, 0.0, -1, 2])
def test_a_confidence_that_is_none_is_refused(confidence: float) -> None:
    with pytest.raises(ExperimentError, match="is no confidence"):
        calibrate_threshold(problem(), "recall", 0.5, confidence=confidence)


def test_unjudged_documents_count_as_irrelevant_unless_skipped() -> None:
    some = FusionProblem(*synthetic(queries=80, depth=40, pipelines=2, seed=6))
    strict = calibrate_threshold(some, "precision", 0.5, pipeline="a")
    lenient = calibrate_threshold(some, "precision", 0.5, pipeline="a", unjudged="skip")
    assert strict.score is not None
    assert lenient.score is not None
    assert strict.score > lenient.score
    assert strict.documents == int((~np.isnan(some.pool.scores[:, 0])).sum())


def test_an_impossible_target_has_no_threshold() -> None:
    found = calibrate_threshold(problem(), "recall", 0.99)
    assert found.score is None
    assert found.interval is None


def test_a_target_must_be_a_share() -> None:
    with pytest.raises(ExperimentError, match="is no share"):
        calibrate_threshold(problem(), "recall", 1.5)
