"""Rules that need the neighbours of a stage."""

from __future__ import annotations

import pytest

from atlas_rag.check import Codes, check

SEARCH = {"$search": {"text": {"query": "sea", "path": "title"}}}
VECTOR = {"$vectorSearch": {"index": "v", "path": "e", "queryVector": [1.0], "numCandidates": 9, "limit": 5}}
SORTED = [{"$match": {"a": 1}}, {"$sort": {"a": 1}}]
SCORED = [{"$score": {"score": "$a"}}]


def rank_fusion(combination=None, **pipelines):
    body = {"input": {"pipelines": pipelines}}
    if combination is not None:
        body["combination"] = combination
    return {"$rankFusion": body}


def score_fusion(combination=None, normalization="none", **pipelines):
    body = {"input": {"pipelines": pipelines, "normalization": normalization}}
    if combination is not None:
        body["combination"] = combination
    return {"$scoreFusion": body}


def found(pipeline):
    return {(one.rule, one.path, one.codes.v8, one.codes.v9) for one in check(pipeline).errors}


@pytest.mark.parametrize(
    "pipeline",
    [
        [SEARCH, {"$limit": 5}],
        [VECTOR, {"$set": {"score": {"$meta": "vectorSearchScore"}}}],
        [{"$match": {}}, {"$unionWith": {"coll": "b", "pipeline": [VECTOR]}}],
        [{"$lookup": {"from": "b", "pipeline": [SEARCH], "as": "x"}}],
        [rank_fusion({"weights": {"a": 2, "b": 0.5}}, a=[VECTOR], b=[SEARCH, {"$limit": 9}]), {"$limit": 3}],
        [rank_fusion(a=SORTED)],
        [score_fusion(a=SCORED, b=[{"$match": {"$text": {"$search": "x"}}}])],
        [score_fusion({"method": "expression", "expression": {"$sum": ["$$a", 1]}}, a=[SEARCH])],
        [SEARCH, {"$facet": {"meta": [{"$replaceWith": "$$SEARCH_META"}], "docs": [{"$limit": 3}]}}],
        [rank_fusion(a=SORTED), {"$set": {"s": {"$meta": "score"}}}],
    ],
)
def test_accepts_what_the_server_accepts(pipeline):
    assert check(pipeline).findings == ()


@pytest.mark.parametrize(
    ("pipeline", "rule", "path", "codes"),
    [
        ([{"$match": {}}, VECTOR], "first-stage", "[1].$vectorSearch", Codes.same(40602)),
        ([SEARCH, VECTOR], "first-stage", "[1].$vectorSearch", Codes.same(40602)),
        ([{"$facet": {"a": [SEARCH]}}], "in-facet", "[0].$facet.a[0].$search", Codes.same(40600)),
        (
            [{"$lookup": {"from": "b", "as": "x", "pipeline": [VECTOR]}}],
            "in-lookup",
            "[0].$lookup.pipeline[0].$vectorSearch",
            Codes(51047, None),
        ),
        ([{"$limit": 1}, rank_fusion(a=SORTED)], "first-stage", "[1].$rankFusion", Codes.same(10170100)),
        ([{"search": {}}], "stage-name", "[0].search", Codes.same(40324)),
        ([{}], "stage-shape", "[0]", Codes.same(40323)),
        (
            [{"$vectorSearch": {**VECTOR["$vectorSearch"], "filter": None}}],
            "type",
            "[0].$vectorSearch.filter",
            Codes.same(10065),
        ),
        (
            [{"$vectorSearch": {**VECTOR["$vectorSearch"], "filter": {"$and": [{"a": {"$get": 1}}]}}}],
            "operator",
            "[0].$vectorSearch.filter.$and[0].a.$get",
            Codes.same(2),
        ),
        (
            [{"$vectorSearch": {**VECTOR["$vectorSearch"], "limit": -1}}],
            "bounds",
            "[0].$vectorSearch.limit",
            Codes(7912700, 65137),
        ),
    ],
)
def test_names_the_place_and_both_codes(pipeline, rule, path, codes):
    assert (rule, path, codes.v8, codes.v9) in found(pipeline)


PROJECT = {"$project": {"a": 1}}
INPUT = "[0].$rankFusion.input.pipelines"
SCORE_INPUT = "[0].$scoreFusion.input.pipelines"


@pytest.mark.parametrize(
    ("stage", "finding"),
    [
        (rank_fusion(), ("empty-document", INPUT, 9834300, 12108700)),
        (
            rank_fusion(a=[rank_fusion(b=SORTED)]),
            ("nested-fusion", f"{INPUT}.a[0].$rankFusion", 10473002, 12108701),
        ),
        (rank_fusion(a=[{"$limit": 5}]), ("not-ranked", f"{INPUT}.a", 9191100, 12108702)),
        (rank_fusion(a=[*SORTED, *SCORED]), ("score-stage", f"{INPUT}.a[2].$score", 10614800, 12108703)),
        (
            rank_fusion(a=[*SORTED, PROJECT]),
            ("not-selection", f"{INPUT}.a[2].$project", 9191103, 12108704),
        ),
        (rank_fusion(**{"": SORTED}), ("name", f"{INPUT}.", 15998, 15998)),
        (rank_fusion(**{"$a": SORTED}), ("name", f"{INPUT}.$a", 16410, 16410)),
        (rank_fusion(**{"a.b": SORTED}), ("name", f"{INPUT}.a.b", 16412, 16412)),
        (score_fusion(), ("empty-document", SCORE_INPUT, 9402503, 12108710)),
        (score_fusion(a=SORTED), ("not-scored", f"{SCORE_INPUT}.a", 9402500, 12108712)),
        (
            score_fusion(a=[SEARCH, PROJECT]),
            ("not-selection", f"{SCORE_INPUT}.a[1].$project", 9402502, 12108713),
        ),
    ],
)
def test_input_pipelines_must_be_ordered_and_select_only(stage, finding):
    assert finding in found([stage])


@pytest.mark.parametrize(
    ("weights", "code"),
    [({"a": -1}, 9460300), ({"a": 1, "b": 1}, 9460301), ({"b": 1}, 9967500), ({"a": "x"}, 13118)],
)
def test_weights_belong_to_inputs(weights, code):
    codes = {one[2] for one in found([rank_fusion({"weights": weights}, a=SORTED)])}
    assert code in codes


@pytest.mark.parametrize(
    ("combination", "code"),
    [
        ({"method": "avg", "expression": 1}, 10017300),
        ({"method": "expression"}, 10017300),
        ({"method": "expression", "expression": 1, "weights": {"a": 1}}, 10017301),
        ({"method": "max"}, 2),
        ({"weight": {"a": 1}}, 40415),
    ],
)
def test_score_fusion_combines_by_average_or_expression(combination, code):
    assert code in {one[2] for one in found([score_fusion(combination, a=[SEARCH])])}


def test_a_stored_source_search_is_no_selection():
    stored = {"$search": {**SEARCH["$search"], "returnStoredSource": True}}
    expected = ("not-selection", f"{INPUT}.a[0].$search.returnStoredSource", 9191103, 12108704)
    assert expected in found([rank_fusion(a=[stored])])


def test_metadata_is_gone_after_grouping():
    grouped = [SEARCH, {"$group": {"_id": "$a"}}, {"$set": {"s": {"$meta": "score"}}}]
    assert ("metadata", "[2].$set.s", 40218, 40218) in found(grouped)


def test_a_score_of_another_search_is_missing_not_refused():
    report = check([SEARCH, {"$set": {"s": {"$meta": "vectorSearchScore"}}}])
    assert report.valid
    assert [one.rule for one in report.warnings] == ["metadata-missing"]


@pytest.mark.parametrize(
    ("pipeline", "code"),
    [
        ([VECTOR, {"$set": {"m": "$$SEARCH_META"}}], 6347902),
        ([SEARCH, {"$unionWith": "b"}, {"$set": {"m": "$$SEARCH_META.count"}}], 6347901),
    ],
)
def test_search_meta_follows_a_search(pipeline, code):
    assert code in {one[2] for one in found(pipeline)}


@pytest.mark.parametrize(
    ("pipeline", "needed"),
    [
        ([VECTOR], (6, 0)),
        ([rank_fusion(a=SORTED)], (8, 0)),
        ([score_fusion(a=SCORED)], (8, 2)),
        ([{"$rerank": {"query": {"text": "a"}, "path": "b", "numDocsToRerank": 5}}], (8, 3)),
        ([{"$lookup": {"from": "b", "as": "x", "pipeline": [VECTOR]}}], (9, 0)),
        ([{"$match": {}}], None),
    ],
)
def test_says_which_release_is_needed(pipeline, needed):
    assert check(pipeline).needs == needed


def test_refuses_what_a_release_does_not_know():
    report = check([score_fusion(a=SCORED)], release=(8, 0))
    assert {one.rule for one in report.errors} == {"release"}
    assert check([score_fusion(a=SCORED)], release=(8, 2)).valid


def test_deprecated_operators_are_read_and_named():
    report = check([{"$search": {"compound": {"must": [{"term": {"query": "a", "path": "b"}}]}}}])
    assert report.valid
    assert [(one.rule, one.path) for one in report.warnings] == [
        ("deprecated", "[0].$search.compound.must[0].term")
    ]
