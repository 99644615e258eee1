"""Re-fusing offline against the scalar reference, on runs with ties, repeated ids and empty lists."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from atlas_rag.fusion import RankedList, fuse_ranks, fuse_scores
from atlas_rag.tuning.data import Judgments, Runs
from atlas_rag.tuning.problem import FusionProblem
from atlas_rag.tuning.problem.score_fusion import ScoreFusion

Lists = dict[str, list[tuple[str, float]]]

names = st.sampled_from(["a", "b", "c", "d", "e", "f", "é", "Z", "10", "9"])
ranked = st.lists(st.tuples(names, st.sampled_from([0.25, 0.5, 0.5000000001, 1.0, 3.0])), max_size=9).map(
    lambda rows: sorted(rows, key=lambda row: -row[1])
)
pipelines = st.integers(1, 4).flatmap(
    lambda count: st.fixed_dictionaries({f"p{number}": ranked for number in range(count)})
)
weights = st.sampled_from([0.0, 1e-17, 1e-9, 0.1, 0.3, 0.5, 0.7, 1.0, 1.0, 5.0])


def judged(lists: Lists) -> Judgments:
    found = sorted({row[0] for rows in lists.values() for row in rows})
    return Judgments.of({"q": {doc: 1 + place % 3 for place, doc in enumerate(found)} | {"elsewhere": 1}})


def runs(lists: Lists) -> Runs:
    return Runs.of({name: {"q": rows} for name, rows in lists.items()})


@settings(max_examples=300, deadline=None)
@given(pipelines, st.data())
def test_ranking_has_the_order_and_bits_of_the_reference(lists: Lists, data: st.DataObject) -> None:
    drawn = {name: data.draw(weights) for name in lists}
    problem = FusionProblem(runs(lists), judged(lists))
    expected = fuse_ranks(
        [
            RankedList(name, [row[0] for row in rows], [row[1] for row in rows])
            for name, rows in lists.items()
        ],
        drawn,
    )
    assert problem.ranking(drawn)["q"] == [(item.id, item.score) for item in expected]


@settings(max_examples=300, deadline=None)
@given(pipelines, st.data())
def test_fast_ranks_are_the_places_in_the_ranking(lists: Lists, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, 40))
    rows = np.array([[data.draw(weights) for _ in lists] for _ in range(count)])
    problem = FusionProblem(runs(lists), judged(lists), "nDCG@4")
    ranks = problem.relevant_ranks(rows)
    documents = [problem.runs.documents[problem.pool.document[row]] for row in problem.relevant]
    for column, row in enumerate(rows):
        order = [doc for doc, _ in problem.ranking(row)["q"]]
        assert [min(order.index(doc) + 1, 5) for doc in documents] == ranks[column].tolist()


@settings(max_examples=200, deadline=None)
@given(pipelines, st.sampled_from(["none", "sigmoid"]), st.data())
def test_score_fusion_has_the_bits_of_the_reference(lists: Lists, how: str, data: st.DataObject) -> None:
    drawn = {name: data.draw(weights) for name in lists}
    problem = FusionProblem(runs(lists), judged(lists), fusion=ScoreFusion(how))  # type: ignore[arg-type]
    expected = fuse_scores(
        [
            RankedList(name, [row[0] for row in rows], [row[1] for row in rows])
            for name, rows in lists.items()
        ],
        drawn,
        normalization=how,
    )
    assert problem.ranking(drawn)["q"] == [(item.id, item.score) for item in expected]


@settings(max_examples=100, deadline=None)
@given(pipelines)
def test_the_order_of_input_pipelines_does_not_matter(lists: Lists) -> None:
    backwards = dict(reversed(lists.items()))
    assert FusionProblem(runs(lists), judged(lists)).ranking({}) == FusionProblem(
        runs(backwards), judged(lists)
    ).ranking({})
