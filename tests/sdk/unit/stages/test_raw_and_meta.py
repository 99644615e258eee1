"""Raw escapes at every level stay visible; metadata has names; vectors may be arrays where asked for."""

from __future__ import annotations

import pytest

from atlas_rag import CallError, Code
from atlas_rag.stages import (
    SEARCH_META,
    ArrayVector,
    Compound,
    Exists,
    Facet,
    FilterOperator,
    Meta,
    Pipeline,
    Project,
    RankFusion,
    RawFacet,
    RawOperator,
    RawScore,
    RawStage,
    Search,
    SortBy,
    Text,
    VectorSearch,
)
from atlas_rag.stages.operators.operator import read_operator
from atlas_rag.stages.pipeline import read_pipeline

A = Exists(path="a")


def test_a_pipeline_lists_what_it_holds_raw_at_every_level() -> None:
    search = Search(
        operator=Compound(must=(RawOperator({"newest": {}}), A), score=RawScore({"logistic": {}})),
    )
    facet = Search(operator=Facet(facets={"f": RawFacet({"type": "geo"})}))
    fusion = RankFusion(pipelines={"a": Pipeline([search])})
    assert Pipeline([search, RawStage({"$x": 1})]).raw == ("newest", "score.logistic", "$x")
    assert Pipeline([facet]).raw == ("facet.geo",)
    assert Pipeline([fusion]).raw == ("newest", "score.logistic")


def test_what_this_library_compiles_is_not_raw() -> None:
    pipeline = Pipeline([Search(operator=Compound(filter=(FilterOperator({"exists": {"path": "a"}}),)))])
    assert pipeline.raw == ()


@pytest.mark.parametrize("name", ["knnBeta", "search", "span", "term"])
def test_legacy_operators_are_read_as_raw(name: str) -> None:
    pipeline = read_pipeline([{"$search": {name: {"query": "x", "path": "a"}}}])
    assert pipeline.raw == (name,)
    assert pipeline.to_list() == [{"$search": {name: {"query": "x", "path": "a"}}}]


def test_an_unknown_operator_is_refused_and_told_of_the_escape() -> None:
    with pytest.raises(CallError, match="RawOperator"):
        read_operator({"txet": {}})


def test_metadata_is_asked_for_by_name() -> None:
    project = Project({"score": Meta.SEARCH_SCORE.expression, "meta": SEARCH_META})
    assert project.to_stage() == {"$project": {"score": {"$meta": "searchScore"}, "meta": "$$SEARCH_META"}}


def test_an_array_vector_is_sent_as_it_is_and_hidden() -> None:
    stage = VectorSearch(index="v", path="e", query_vector=ArrayVector([0.5, 1]), limit=1, exact=True)
    assert stage.to_stage()["$vectorSearch"]["queryVector"] == [0.5, 1]
    assert VectorSearch.from_stage(stage.to_stage()) == stage
    assert "0.5" not in repr(stage)
    for numbers in ([], [float("nan")], [True], ["a"]):
        with pytest.raises(CallError) as caught:
            ArrayVector(numbers)
        assert caught.value.code is Code.INVALID_VECTOR


def test_none_is_refused_where_an_option_has_another_default() -> None:
    for build in (lambda: SortBy(path="a", order=None), lambda: Text(query=None, path="a")):  # type: ignore[arg-type]
        with pytest.raises(CallError):
            build()
