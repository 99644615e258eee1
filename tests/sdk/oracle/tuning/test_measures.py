"""Our measures against trec_eval, to the last bit, on runs without ties."""

from __future__ import annotations

import random
from collections.abc import Callable

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, Bpref, Judged, P, R, Success, nDCG

from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.diagnosis.judging import bpref, condensed, judged_at
from atlas_rag.tuning.problem import FusionProblem

PAIRS = [
    ("nDCG@10", nDCG @ 10),
    ("nDCG@3", nDCG @ 3),
    ("RR@10", RR @ 10),
    ("R@20", R @ 20),
    ("Hit@5", Success @ 5),
    ("AP@100", AP @ 100),
    ("AP@7", AP @ 7),
    ("AP", AP),
    ("RR", RR),
    ("P@5", P @ 5),
    ("P@20", P @ 20),
]


def trec_eval(
    measure: ir_measures.Measure, grades: dict[str, dict[str, int]], rankings: dict[str, list[str]]
) -> dict[str, float]:
    """The measure of each query; scores fall strictly, since trec_eval breaks ties its own way."""
    run = [
        ir_measures.ScoredDoc(query, doc, -float(place))
        for query, ranking in rankings.items()
        for place, doc in enumerate(ranking)
    ]
    qrels = [
        ir_measures.Qrel(query, doc, grade) for query, docs in grades.items() for doc, grade in docs.items()
    ]
    return {found.query_id: found.value for found in ir_measures.iter_calc([measure], qrels, run)}


def ours(measure: str, grades: dict[str, dict[str, int]], rankings: dict[str, list[str]]) -> dict[str, float]:
    """The same from this library."""
    scored = {
        query: [(doc, -float(place)) for place, doc in enumerate(docs)] for query, docs in rankings.items()
    }
    problem = FusionProblem(Runs.of({"only": scored}), Judgments.of(grades), measure)
    return dict(zip(problem.queries, problem.per_query([1.0])[:, 0].tolist(), strict=True))


def collection(seed: int) -> tuple[dict[str, dict[str, int]], dict[str, list[str]]]:
    """Graded judgments and rankings of 60 queries over 80 documents."""
    draw = random.Random(seed)
    documents = [f"d{number}" for number in range(80)]
    grades, rankings = {}, {}
    for number in range(60):
        judged = draw.sample(documents, draw.randint(1, 30))
        grades[f"q{number}"] = {doc: draw.choice([0, 0, 1, 2, 3]) for doc in judged}
        rankings[f"q{number}"] = draw.sample(documents, draw.randint(1, 60))
    return grades, rankings


@pytest.mark.parametrize(("name", "measure"), PAIRS, ids=[name for name, _ in PAIRS])
def test_a_measure_has_the_bits_of_trec_eval(name: str, measure: ir_measures.Measure) -> None:
    grades, rankings = collection(seed=7)
    values = ours(name, grades, rankings)
    assert values == trec_eval(measure, grades, rankings)
    assert 0.0 < np.mean(list(values.values())) < 1.0


def test_exponential_gain_is_linear_gain_of_transformed_grades() -> None:
    grades, rankings = collection(seed=8)
    powers = {query: {doc: 2**grade - 1 for doc, grade in docs.items()} for query, docs in grades.items()}
    assert ours("nDCG(exp)@10", grades, rankings) == trec_eval(nDCG @ 10, powers, rankings)


def only(measure: str, grades: dict[str, dict[str, int]], rankings: dict[str, list[str]]) -> FusionProblem:
    scored = {
        query: [(doc, -float(place)) for place, doc in enumerate(docs)] for query, docs in rankings.items()
    }
    return FusionProblem(Runs.of({"only": scored}), Judgments.of(grades), measure)


@pytest.mark.parametrize(
    ("ours_of", "measure"),
    [(bpref, Bpref), (judged_at, Judged @ 10)],
    ids=["bpref", "Judged@10"],
)
def test_measures_of_what_was_judged_are_those_of_others(
    ours_of: Callable[[FusionProblem, list[float]], np.ndarray], measure: ir_measures.Measure
) -> None:
    grades, rankings = collection(seed=9)
    problem = only("nDCG@10", grades, rankings)
    values = dict(zip(problem.queries, ours_of(problem, [1.0]).tolist(), strict=True))
    assert values == pytest.approx(trec_eval(measure, grades, rankings), abs=1e-12)


def test_a_condensed_measure_is_that_of_the_ranking_without_unjudged_documents() -> None:
    grades, rankings = collection(seed=10)
    problem = only("nDCG@10", grades, rankings)
    short = {query: [doc for doc in docs if doc in grades[query]] for query, docs in rankings.items()}
    expected = trec_eval(nDCG @ 10, grades, {query: docs for query, docs in short.items() if docs})
    values = dict(zip(problem.queries, condensed(problem, [1.0]).tolist(), strict=True))
    assert values == pytest.approx({query: expected.get(query, 0.0) for query in values}, abs=1e-12)
