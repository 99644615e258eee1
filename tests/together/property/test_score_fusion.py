"""Fusion of scores is equal on all routes: the stage, the same arithmetic in plain stages, and here."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import Fusion, LocalClient
from atlas_rag.fusion import RankedList
from atlas_rag.hits import read_hits
from atlas_rag.hits.mapper import envelope
from atlas_rag.plan.fusions import FUSIONS
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Limit, Match, Pipeline, Project, ScoreStage, SetFields, Sort

NAMES = ("a", "b", "c")
KINDS = dict.fromkeys(NAMES, ScoreKind.TEXT_RELEVANCE)
LIMIT = 8

scores = st.one_of(
    st.none(),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.floats(0.001, 40, allow_nan=False).map(lambda x: round(x, 4)),
)
tables = st.lists(st.tuples(scores, scores, scores), min_size=1, max_size=12)
weights = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([0.0, 0.3, 1.0, 2.5]), max_size=3)
normalizations = st.sampled_from(["none", "sigmoid", "minMaxScaler"])
CLIENT = LocalClient()
CALM: dict[str, Any] = {"deadline": None, "suppress_health_check": [HealthCheck.too_slow]}


def agree(table: list[tuple[float | None, ...]], given: dict[str, float], normalization: Any) -> None:
    """Documents, scores and contributions of the three ways, to the bit."""
    collection = CLIENT["fused"]["documents"]
    collection.delete_many({})
    collection.insert_many({"_id": i, **dict(zip(NAMES, row, strict=True))} for i, row in enumerate(table))
    fusion = Fusion.score(normalization, weights=given)
    arithmetic = FUSIONS["score"]
    found = {name: Match({name: {"$ne": None}}) for name in NAMES}
    scored = {
        name: Pipeline([found[name], ScoreStage(score=f"${name}", normalization="none")]) for name in NAMES
    }
    native = [
        arithmetic.native(fusion, scored, given or None),
        Limit(LIMIT),
        Project(envelope("score", "scoreDetails")),
    ]
    sources = {name: ([found[name]], f"${name}") for name in NAMES}
    emulated = arithmetic.emulated(fusion, sources, given, "documents", [Limit(LIMIT)])
    sides = [
        read_hits(
            list(collection.aggregate(Pipeline(stages).to_list())), fusion.kind, inputs=KINDS, weights=given
        )
        for stages in (native, emulated)
    ]
    told = [
        [(hit.id, hit.score.value if hit.score else math.nan, dict(hit.contributions)) for hit in side]
        for side in sides
    ]
    assert told[0] == told[1]
    lists = [_list(collection, name) for name in NAMES]
    if all(one.ids for one in lists):
        here = arithmetic.here(fusion, lists, given or None, LIMIT)
        assert [(item.id, item.score) for item in here] == [one[:2] for one in told[0]]


def _list(collection: Any, name: str) -> RankedList:
    ordered = [Match({name: {"$ne": None}}), SetFields({"s": f"${name}"}), Sort({"s": -1, "_id": 1})]
    rows = list(collection.aggregate(Pipeline(ordered).to_list()))
    return RankedList(name, [row["_id"] for row in rows], [row["s"] for row in rows])


@settings(max_examples=60, **CALM)
@given(tables, weights, normalizations)
def test_the_three_ways_agree(table: Any, given: Any, normalization: Any) -> None:
    agree(table, given, normalization)


@pytest.mark.slow
@settings(max_examples=5000, **CALM)
@given(tables, weights, normalizations)
def test_the_three_ways_agree_in_5_000_cases(table: Any, given: Any, normalization: Any) -> None:
    agree(table, given, normalization)


@settings(max_examples=60, **CALM)
@given(tables, weights)
def test_raising_a_weight_never_lowers_a_document_found_only_there(table: Any, given: Any) -> None:
    collection = CLIENT["fused"]["raised"]
    collection.delete_many({})
    collection.insert_many({"_id": i, **dict(zip(NAMES, row, strict=True))} for i, row in enumerate(table))
    lists = [one for one in (_list(collection, name) for name in NAMES) if one.ids]
    if not lists:
        return
    fusion, names = Fusion.score("sigmoid"), {one.name for one in lists}
    plain = {name: given.get(name, 1.0) for name in names}
    raised = {**plain, lists[0].name: plain[lists[0].name] + 1}
    alone = set(lists[0].ids) - {identity for one in lists[1:] for identity in one.ids}
    before, after = (
        [item.id for item in FUSIONS["score"].here(fusion, lists, given, 99)] for given in (plain, raised)
    )
    for identity in alone:
        assert after.index(identity) <= before.index(identity) + sum(
            other in alone for other in after[: after.index(identity)]
        )
