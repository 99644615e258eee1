"""Stages and pipelines: both directions, bounds, positions."""

from __future__ import annotations

import inspect
import pickle
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest

from atlas_rag import CallError, Code, as_vector
from atlas_rag.stages import (
    Boost,
    Compound,
    Constant,
    Equals,
    Exists,
    Fuzzy,
    In,
    Limit,
    Match,
    MultiPath,
    Phrase,
    Pipeline,
    Range,
    RankFusion,
    RawOperator,
    RawStage,
    Search,
    Skip,
    Sort,
    Text,
    Unset,
    VectorSearch,
    WildcardPath,
    read_pipeline,
)
from atlas_rag.stages.operators.operator import read_operator

VECTOR = as_vector([1, 2])
ANN: dict[str, Any] = {"index": "v", "path": "e", "query_vector": VECTOR, "limit": 5, "num_candidates": 50}
OPERATORS = [
    Text(query="x", path="a"),
    Text(
        query=("x", "y"),
        path=("a", MultiPath(value="b", multi="en"), WildcardPath(wildcard="c.*")),
        match_criteria="all",
    ),
    Text(
        query="x",
        path="a",
        fuzzy=Fuzzy(max_edits=1, prefix_length=2, max_expansions=10),
        score=Boost(value=2),
    ),
    Text(query="x", path="a", synonyms="s", score=Boost(path="rank", undefined=1)),
    Phrase(query="x y", path="a", slop=2, score=Constant(value=0)),
    Equals(path="a", value=None),
    Equals(path="a", value=True, score=Constant(value=3)),
    In(path=("a", "b"), value=(1, 2)),
    Range(path="a", gte=1, lt=2.5),
    Exists(path="a"),
    Compound(must=(Text(query="x", path="a"),), filter=(Exists(path="b"),), must_not=(Exists(path="c"),)),
    Compound(should=(Exists(path="a"), Exists(path="b")), minimum_should_match=1, score=Boost(value=3)),
]


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_operators_read_back_what_they_spell(operator: Any) -> None:
    assert read_operator(operator.to_operator()) == operator


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_reprs_rebuild(operator: Any) -> None:
    assert eval(repr(operator)) == operator


def test_absent_options_are_never_sent_as_null() -> None:
    assert Text(query="x", path="a").to_operator() == {"text": {"query": "x", "path": "a"}}
    assert Equals(path="a", value=None).to_operator() == {"equals": {"path": "a", "value": None}}


@pytest.mark.parametrize(
    "options",
    [
        {"limit": 0},
        {"limit": True},
        {"limit": 51},
        {"num_candidates": 10_001, "limit": 1},
        {"num_candidates": None},
        {"exact": True},
        {"index": ""},
        {"path": 3},
        {"filter": []},
        {"query_vector": [1, 2]},
    ],
    ids=str,
)
def test_vector_search_refuses_what_the_server_would(options: dict[str, Any]) -> None:
    with pytest.raises(CallError):
        VectorSearch(**{**ANN, **options})


def test_exact_search_has_no_candidates() -> None:
    stage = VectorSearch(index="v", path="e", query_vector=VECTOR, limit=5, exact=True).to_stage()
    assert stage == {
        "$vectorSearch": {"index": "v", "path": "e", "queryVector": VECTOR, "limit": 5, "exact": True}
    }


def test_a_constructor_says_its_options_and_takes_no_others() -> None:
    options = inspect.signature(Text).parameters
    assert list(options) == ["query", "path", "match_criteria", "fuzzy", "synonyms", "score"]
    assert {one.kind for one in options.values()} == {inspect.Parameter.KEYWORD_ONLY}
    assert options["query"].default is inspect.Parameter.empty
    assert (options["fuzzy"].default, options["fuzzy"].annotation) == (None, "FuzzyOption")
    with pytest.raises(TypeError, match="slop"):
        Text(query="a", path="b", slop=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="path"):
        Text(query="a")  # type: ignore[call-arg]


def test_a_value_is_frozen_compared_by_content_and_travels() -> None:
    one = Text(query="a", path="b", fuzzy=None)
    assert one == Text(query="a", path="b")
    assert hash(one) == hash(Text(query="a", path="b"))
    assert one != Text(query="a", path="c")
    assert pickle.loads(pickle.dumps(one)) == one
    assert replace(one, path="c") == Text(query="a", path="c")
    with pytest.raises(FrozenInstanceError):
        one.path = "c"  # type: ignore[misc]


@pytest.mark.parametrize(
    "build",
    [
        lambda: Text(query="", path="a"),
        lambda: Text(query="x", path=()),
        lambda: Text(query="x", path="a", match_criteria="some"),
        lambda: Text(query="x", path="a", fuzzy=Fuzzy(), synonyms="s"),
        lambda: Fuzzy(max_edits=3),
        lambda: Boost(),
        lambda: Boost(value=0),
        lambda: Boost(value=1, path="p"),
        lambda: Constant(value=-1),
        lambda: WildcardPath(wildcard="a"),
        lambda: WildcardPath(wildcard="a**"),
        lambda: Range(path="a"),
        lambda: Range(path="a", gt=1, gte=1),
        lambda: In(path="a", value=()),
        lambda: Compound(),
        lambda: Compound(must=(Exists(path="a"),), minimum_should_match=1),
        lambda: Compound(should=(Exists(path="a"),), minimum_should_match=2),
        lambda: Limit(0),
        lambda: Skip(-1),
        lambda: Match([]),
        lambda: RawStage({"a": 1}),
    ],
)
def test_wrong_options_are_refused(build: Any) -> None:
    with pytest.raises(CallError):
        build()


def test_unknown_options_are_refused_on_reading() -> None:
    with pytest.raises(CallError, match="unknown option 'lim'"):
        read_pipeline([{"$vectorSearch": {"index": "v", "lim": 3}}])
    body = {"exists": {"path": "a"}, "operator": {"exists": {"path": "b"}}}
    with pytest.raises(CallError, match="unknown option 'operator'"):
        Search.from_stage({"$search": body})
    clause = {"exists": {"path": "a"}, "unknown": None}
    with pytest.raises(CallError, match="not exactly one operator"):
        Search.from_stage({"$search": {"compound": {"must": [clause]}}})
    with pytest.raises(CallError, match="has no 'limit'"):
        VectorSearch.from_stage({"$vectorSearch": {"index": "v", "path": "e", "queryVector": [1.0]}})


def test_a_pipeline_reads_back_what_it_spells() -> None:
    pipeline = Pipeline(
        [
            RankFusion(
                pipelines={
                    "a": Pipeline([VectorSearch(**ANN)]),
                    "b": Pipeline([Search(index="t", operator=OPERATORS[0]), Limit(5)]),
                },
                weights={"a": 0.5},
                score_details=True,
            ),
            Limit(3),
            Unset(["e"]),
            RawStage({"$newStage": {"x": 1}}),
        ]
    )
    assert read_pipeline(pipeline.to_list()) == pipeline
    assert pipeline.raw == ("$newStage",)


@pytest.mark.parametrize(
    "stage", [VectorSearch(**ANN), Search(operator=Exists(path="a"))], ids=lambda s: s.name
)
def test_search_stages_come_first(stage: Any) -> None:
    with pytest.raises(CallError, match="40602") as caught:
        Pipeline([Match({}), stage])
    assert caught.value.code is Code.INVALID_PIPELINE


@pytest.mark.parametrize(
    ("pipelines", "says"),
    [
        ({}, "no input pipeline"),
        ({"$a": Pipeline([Sort({"x": 1})])}, "name"),
        ({"a.b": Pipeline([Sort({"x": 1})])}, "name"),
        ({"": Pipeline([Sort({"x": 1})])}, "name"),
        ({"a": Pipeline([Limit(5)])}, "not ranked"),
        ({"a": Pipeline([Sort({"x": 1}), Unset("x")])}, r"\$unset"),
        ({"a": Pipeline([RawStage({"$rankFusion": {}})])}, r"\$rankFusion"),
    ],
)
def test_rank_fusion_refuses_inputs_that_do_not_rank_or_only_select(pipelines: Any, says: str) -> None:
    with pytest.raises(CallError, match=says):
        RankFusion(pipelines=pipelines)


@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), -0.0, True, "x", None])
def test_weights_are_finite_and_not_negative(weight: Any) -> None:
    with pytest.raises(CallError) as caught:
        RankFusion(pipelines={"a": Pipeline([Sort({"x": 1})])}, weights={"a": weight})
    assert caught.value.code is Code.INVALID_WEIGHTS


def test_reprs_hide_vectors_and_raw_bodies() -> None:
    shown = repr(Pipeline([VectorSearch(**ANN), RawStage({"$x": "secret"})]))
    assert "2 dimensions" in shown
    assert "secret" not in shown
    assert "secret" not in repr(RawOperator({"text": "secret"}))
