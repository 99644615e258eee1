"""`$scoreFusion` and `$score` in the executor: S1 to S18, the facts of the server's own suite."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.support import fusion_harness
from tests.support.fusion_harness import DETAILED, SCORED, FixedIndex, ids

NUMBERS = range(1, 11)
DOCUMENTS = [{"_id": i, "single": i, "double": 2 * i, "multiplier": 5} for i in NUMBERS]
SINGLE = [{"$score": {"score": "$single", "normalization": "none"}}]
DOUBLE = [{"$score": {"score": "$double", "normalization": "none"}}]
BOTH = {"single": SINGLE, "double": DOUBLE}


def aggregate(pipeline: list[Any], documents: Any = DOCUMENTS, **rest: Any) -> list[dict[str, Any]]:
    return fusion_harness.aggregate(pipeline, documents, **rest)


def code_of(pipeline: list[Any], **rest: Any) -> int:
    return fusion_harness.code_of(pipeline, DOCUMENTS, **rest)


def fusion(pipelines: Any = BOTH, normalization: Any = "none", details: bool = False, **combination: Any):
    source = {"pipelines": pipelines, "normalization": normalization}
    rest: dict[str, Any] = {"combination": combination} if combination else {}
    return {"$scoreFusion": {"input": source, **rest, **({"scoreDetails": True} if details else {})}}


def expression(value: Any, pipelines: Any = BOTH) -> dict[str, Any]:
    return fusion(pipelines, method="expression", expression=value)


def scores(*stages: Any, **rest: Any) -> dict[int, float]:
    return {row["_id"]: row["score"] for row in aggregate([*stages, SCORED], **rest)}


def sigma(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def test_s1_the_mean_of_raw_scores_in_order() -> None:
    found = scores(fusion())
    assert list(found.items()) == [(i, 1.5 * i) for i in reversed(NUMBERS)]


def test_s2_an_input_scaled_by_its_own_stage() -> None:
    scaled = [{"$score": {"score": "$single", "normalization": "minMaxScaler"}}]
    found = scores(fusion({"single": scaled, "double": DOUBLE}))
    assert (found[1], found[2], found[10]) == (1.0, 2.0555555555555554, 10.5)


def test_s3_an_expression() -> None:
    assert scores(expression({"$add": ["$$single", "$$double"]})) == {i: 3.0 * i for i in NUMBERS}


def test_s4_input_names_hide_variables_of_the_command() -> None:
    stage = expression({"$add": ["$$single", "$$double"]})
    assert scores(stage, variables={"single": 5, "double": 7}) == {i: 3.0 * i for i in NUMBERS}


def test_s5_an_average_as_expression() -> None:
    assert scores(expression({"$avg": ["$$single", "$$double"]})) == {i: 1.5 * i for i in NUMBERS}


def test_s6_an_expression_reads_the_document() -> None:
    product = {"$multiply": ["$single", "$multiplier"]}
    found = scores(expression({"$avg": ["$$single", "$$double", product]}))
    assert found == {i: (i + 2 * i + 5 * i) / 3 for i in NUMBERS}


@pytest.mark.parametrize("ignored", ["$no_such_field", "text"])
def test_s7_an_average_passes_over_what_is_no_number(ignored: str) -> None:
    found = scores(expression({"$avg": ["$$single", "$$double", ignored]}))
    assert found == {i: 1.5 * i for i in NUMBERS}


def test_s8_an_expression_reads_variables_of_the_command() -> None:
    found = scores(expression({"$add": ["$$single", "$$five"]}), variables={"five": 5})
    assert found == {i: i + 5.0 for i in NUMBERS}


@pytest.mark.parametrize(
    ("value", "code"), [({"$concat": ["2", ".5"]}, 14), ("$no_such_field", 14), ("$$nope", 17276)], ids=str
)
def test_s9_an_expression_gives_a_number(value: Any, code: int) -> None:
    assert code_of([expression(value)]) == code


def test_s10_sigmoid() -> None:
    found = scores(fusion(normalization="sigmoid"))
    assert (found[1], found[2]) == (0.8059278283039436, 0.9314054340078954)
    assert found == {i: (sigma(2 * i) + sigma(i)) / 2 for i in NUMBERS}


def test_s11_sigmoid_twice() -> None:
    inner = [{"$score": {"score": "$single", "normalization": "sigmoid"}}]
    assert scores(fusion({"single": inner}, "sigmoid")) == {i: sigma(sigma(i)) for i in NUMBERS}


def test_s12_min_max() -> None:
    assert scores(fusion({"big_score": SINGLE}, "minMaxScaler")) == {i: (i - 1) / 9 for i in NUMBERS}


def test_s13_min_max_undoes_weights() -> None:
    weighted = scores(fusion(normalization="minMaxScaler", weights={"single": 5, "double": 0.1}))
    assert weighted == pytest.approx(scores(fusion(normalization="minMaxScaler")), rel=1e-15)


def test_weights_multiply_raw_scores() -> None:
    assert scores(fusion(weights={"single": 0.5}))[4] == (0.5 * 4 + 8) / 2


def test_an_absent_document_counts_as_zero() -> None:
    few = [{"$match": {"_id": {"$lte": 2}}}, *SINGLE]
    found = scores(fusion({"few": few, "double": DOUBLE}))
    assert (found[2], found[3]) == ((2 + 4) / 2, 6 / 2)


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        (fusion(method="avg", expression="$$single"), 10017300),
        (fusion(method="expression"), 10017300),
        (fusion(method="expression", expression="$$single", weights={"single": 1}), 10017301),
        (fusion(normalization="zscore"), 2),
        (fusion(method="median"), 2),
        (fusion(normalization=None), 40414),
        (fusion(weights={"nope": 1}), 9967500),
        (fusion(weights={"single": -0.5}), 9460300),
        ({"$scoreFusion": {"input": {"pipelines": BOTH}}}, 40414),
    ],
    ids=["s14", "no expression", "s15", "normalization", "method", "null", "name", "negative", "missing"],
)
def test_combinations_are_refused_by_code(stage: dict[str, Any], code: int) -> None:
    assert code_of([stage]) == code


@pytest.mark.parametrize(
    ("pipelines", "parsed", "lite_parsed"),
    [
        ({"a": [{"$match": {"x": 1}}]}, 9402500, 12108712),
        ({"a": [{"$sort": {"x": 1}}]}, 9402500, 12108712),
        ({"a": [*SINGLE, {"$project": {"x": 1}}]}, 9402502, 12108713),
        ({"a": [fusion()]}, 10473003, 12108711),
        ({}, 9402503, 12108710),
    ],
    ids=["s16", "sorted is not scored", "projection", "nested", "empty"],
)
def test_input_pipelines_are_refused_by_code(pipelines, parsed, lite_parsed) -> None:
    assert code_of([fusion(pipelines)], release=(8, 2)) == parsed
    assert code_of([fusion(pipelines)], release=(9, 0)) == lite_parsed


def test_s17_two_searches_scored_anew() -> None:
    movies = [{"_id": i} for i in range(1, 16)]
    everyone = FixedIndex(list(range(15)))
    by_search = [
        {"$search": {"index": "s", "text": {"path": "plot", "query": "ape"}}},
        {"$match": {"_id": 6}},
        {"$score": {"score": {"$multiply": [5.1, "$_id"]}, "normalization": "sigmoid", "weight": 0.4}},
    ]
    by_vector = [
        {"$vectorSearch": {"index": "v", "path": "v", "queryVector": [1.0], "limit": 15, "exact": True}},
        {"$score": {"score": {"$multiply": [5, "$_id"]}, "normalization": "minMaxScaler", "weight": 0.5}},
    ]
    indexes = {"s": ("search", everyone), "v": ("vectorSearch", everyone)}
    stage = fusion({"a": by_search, "b": by_vector}, details=True)
    rows = aggregate([stage, {"$match": {"_id": 6}}, DETAILED], movies, indexes=indexes)
    entries = rows[0]["details"]["details"]
    assert [entry["value"] for entry in entries] == [0.3999999999999795, 0.17857142857142858]
    assert rows[0]["details"]["value"] == (0.3999999999999795 + 0.17857142857142858) / 2


def test_s18_a_chain_of_scores() -> None:
    again = {"$score": {"score": {"$multiply": [{"$meta": "score"}, 10]}, "weight": 0.9}}
    assert scores(*SINGLE, again) == {i: i * 10 * 0.9 for i in NUMBERS}


def test_a_search_score_enters_as_it_is() -> None:
    index = FixedIndex([1, 0], [2.5, 0.25])
    search = [{"$search": {"index": "s", "text": {}}}]
    found = scores(fusion({"a": search}, "sigmoid"), indexes={"s": ("search", index)})
    assert list(found.items()) == [(2, sigma(2.5)), (1, sigma(0.25))]


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({"normalization": "minMaxScaler", "weight": 0.5}, lambda i: (i - 1) / 9 * 0.5),
        ({"normalization": "none", "weight": 0.5}, lambda i: 1.5 * i),
        ({}, lambda i: 3.0 * i),
        ({"normalization": "sigmoid"}, lambda i: sigma(3.0 * i)),
        ({"weight": 0}, lambda i: 0.0),
    ],
    ids=lambda part: None if callable(part) else str(part),
)
def test_score_weighs_after_normalization(options: dict[str, Any], value: Any) -> None:
    found = scores({"$score": {"score": {"$add": ["$single", "$double"]}, **options}})
    assert found == pytest.approx({i: value(i) for i in NUMBERS}, rel=1e-15)


def test_score_details_of_one_stage() -> None:
    stage = {"$score": {"score": {"$add": ["$single", 10.0]}, "weight": 0.5, "scoreDetails": True}}
    assert aggregate([stage, {"$limit": 1}, DETAILED])[0]["details"] == {
        "value": 5.5,
        "description": "the score calculated from multiplying a weight in the range [0,1] with either a "
        "normalized or nonnormalized value:",
        "rawScore": 11.0,
        "normalization": "none",
        "weight": 0.5,
        "expression": "{ string: { $add: [ '$single', 10.0 ] } }",
        "details": [],
    }


def test_score_details_of_a_fusion() -> None:
    few = [{"$match": {"_id": 1}}, {"$score": {"score": "$single", "scoreDetails": True}}]
    rows = aggregate([fusion({"few": few, "double": DOUBLE}, "sigmoid", details=True), DETAILED])
    details = {row["_id"]: row["details"] for row in rows}
    assert details[2] == {
        "value": sigma(4) / 2,
        "description": "the value calculated by combining the scores (either normalized or raw) across input "
        "pipelines from which this document is output from:",
        "normalization": "sigmoid",
        "combination": {"method": "average"},
        "details": [
            {
                "inputPipelineName": "double",
                "inputPipelineRawScore": 4.0,
                "weight": 1.0,
                "value": sigma(4),
                "details": [],
            },
            {
                "inputPipelineName": "few",
                "inputPipelineRawScore": 0.0,
                "weight": 1.0,
                "value": 0.0,
                "details": [],
            },
        ],
    }
    assert details[1]["details"][1]["details"]["rawScore"] == 1.0


def test_details_name_the_expression() -> None:
    stage = expression({"$sum": ["$$single", 10.0]})
    stage["$scoreFusion"]["scoreDetails"] = True
    assert aggregate([stage, DETAILED])[0]["details"]["combination"] == {
        "method": "custom expression",
        "expression": "{ string: { $sum: [ '$$single', 10.0 ] } }",
    }


@pytest.mark.parametrize(
    ("argument", "code"),
    [
        ({}, 40414),
        ({"score": "text"}, 14),
        ({"score": "$no_such_field"}, 14),
        ({"score": 1, "weight": 1.5}, 2),
        ({"score": 1, "weight": -0.1}, 2),
        ({"score": 1, "weight": "x"}, 14),
        ({"score": 1, "normalization": "minmax"}, 2),
        ({"score": 1, "normalizeFunction": "none"}, 40415),
        ({"score": {"$meta": "score"}}, 40218),
    ],
    ids=str,
)
def test_score_is_refused_by_code(argument: dict[str, Any], code: int) -> None:
    assert code_of([{"$score": argument}]) == code


@pytest.mark.parametrize("stage", [fusion(), *SINGLE], ids=["$scoreFusion", "$score"])
def test_older_servers_do_not_know_them(stage: dict[str, Any]) -> None:
    assert code_of([stage], release=(8, 1)) == 40324


def test_equal_scores_come_by_ascending_id() -> None:
    tied = [{"$sort": {"_id": -1}}, {"$score": {"score": 1}}]
    assert ids(aggregate([fusion({"a": tied})])) == list(NUMBERS)
