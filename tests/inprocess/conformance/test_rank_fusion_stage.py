"""`$rankFusion` in the executor: the facts of the server's own suite, R1 to R30."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import CommandError
from tests.support import fusion_harness
from tests.support.fusion_harness import DETAILED, SCORED, FixedIndex, ids

FLAVORS = [
    "Some spice, but not a heat more of a floral note",
    "It's giving stinky socks. Yuck. Chef's spit.",
    "Like a lemony thing going on. Quite intriguing. I think it'd be good on potatoes",
    "A little too sweet for me, but the flavor is nice",
    "A sad attempt. It's gross. Please do better next time.",
]
DISHES = [
    {"_id": at + 1, "flavor": flavor, "n": n, "tasty": tasty}
    for at, (flavor, n, tasty) in enumerate(
        zip(FLAVORS, [4, 2, 3, 3, 4], [True, False, True, True, False], strict=True)
    )
]
TASTY = [{"$match": {"tasty": True}}, {"$sort": {"n": -1, "_id": 1}}]
HAS_A_BUT = [{"$match": {"flavor": {"$regex": "but"}}}, {"$sort": {"n": 1, "_id": -1}}]
EVERYTHING = [{"$sort": {"no_such_field": 1}}]
MOVIES = [{"_id": at} for at in range(1, 16)]
BY_VECTOR = [6, 4, 8, 9, 10, 12, 13, 5, 1, 14, 3, 2, 11, 7, 15]
BY_SEARCH = [6, 1, 2, 3, 4, 5]


def aggregate(pipeline: list[Any], documents: Any = DISHES, **rest: Any) -> list[dict[str, Any]]:
    return fusion_harness.aggregate(pipeline, documents, **rest)


def code_of(pipeline: list[Any], **rest: Any) -> int:
    return fusion_harness.code_of(pipeline, DISHES, **rest)


def fusion(pipelines: Any, **rest: Any) -> dict[str, Any]:
    return {"$rankFusion": {"input": {"pipelines": pipelines}, **rest}}


def test_r1_the_order_of_one_pipeline_and_its_values() -> None:
    rows = aggregate([fusion({"tasty": TASTY}), {"$limit": 2}, SCORED])
    assert rows == [{"_id": 1, "score": 0.01639344262295082}, {"_id": 3, "score": 0.016129032258064516}]


@pytest.mark.parametrize(
    "before", [[], [{"$sort": {"n": -1, "_id": 1}}]], ids=["r2", "r3: the last sort wins"]
)
def test_r2_r3_the_last_sort_ranks(before: list[Any]) -> None:
    pipeline = [{"$match": {"tasty": True}}, *before, {"$sort": {"n": 1, "_id": 1}}]
    rows = aggregate([fusion({"tasty": pipeline}), {"$limit": 2}, SCORED])
    assert rows == [{"_id": 3, "score": 0.01639344262295082}, {"_id": 4, "score": 0.016129032258064516}]


def test_r5_every_document_by_one_sort() -> None:
    rows = aggregate([fusion({"everything_sorted": [{"$sort": {"tasty": -1, "n": -1, "_id": 1}}]})])
    assert ids(rows) == [1, 3, 4, 5, 2]
    assert rows[0] == DISHES[0]


def test_r6_two_pipelines() -> None:
    assert ids(aggregate([fusion({"tasty": TASTY, "has_a_but": HAS_A_BUT}), {"$limit": 3}])) == [1, 4, 3]


def test_r7_r9_a_pipeline_in_which_all_tie() -> None:
    rows = aggregate([fusion({"tasty": TASTY, "has_a_but": HAS_A_BUT, "everything": EVERYTHING}), SCORED])
    assert ids(rows) == [1, 4, 3, 2, 5]
    assert [row["score"] for row in rows[3:]] == [0.01639344262295082] * 2


@pytest.mark.parametrize(
    ("release", "absent"),
    [
        ((8, 1), {"inputPipelineName": "has_a_but", "rank": 0, "weight": 1.0}),
        ((8, 2), {"inputPipelineName": "has_a_but", "rank": "NA"}),
    ],
)
def test_r8_score_details(release, absent) -> None:
    stage = fusion({"tasty": TASTY, "has_a_but": HAS_A_BUT, "everything": EVERYTHING}, scoreDetails=True)
    details = [row["details"] for row in aggregate([stage, {"$limit": 3}, DETAILED], release=release)]
    assert [each["value"] for each in details] == [
        0.048915917503966164,
        0.04865990111891751,
        0.03252247488101534,
    ]
    assert details[0]["description"].startswith(
        "value output by reciprocal rank fusion algorithm, computed as"
    )
    assert [[entry["rank"] for entry in each["details"]] for each in details[:2]] == [[1, 2, 1], [1, 1, 3]]
    assert details[2]["details"] == [
        {"inputPipelineName": "everything", "rank": 1, "weight": 1.0, "details": []},
        absent,
        {"inputPipelineName": "tasty", "rank": 2, "weight": 1.0, "details": []},
    ]


SEARCHES = {
    "vector": [
        {"$vectorSearch": {"index": "v", "path": "v", "queryVector": [1.0], "limit": 20, "exact": True}}
    ],
    "search": [{"$search": {"index": "s", "text": {"path": "plot", "query": "ape"}}}, {"$limit": 20}],
}
INDEXES = {
    "v": ("vectorSearch", FixedIndex([i - 1 for i in BY_VECTOR])),
    "s": ("search", FixedIndex([i - 1 for i in BY_SEARCH])),
}


@pytest.mark.parametrize(
    ("weights", "expected"),
    [
        ({"vector": 1, "search": 1}, [6, 4, 1, 5, 2, 3, 8, 9, 10, 12, 13, 14, 11, 7, 15]),
        ({}, [6, 4, 1, 5, 2, 3, 8, 9, 10, 12, 13, 14, 11, 7, 15]),
        ({"vector": 1}, [6, 4, 1, 5, 2, 3, 8, 9, 10, 12, 13, 14, 11, 7, 15]),
        ({"vector": 0, "search": 1}, [6, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
        ({"vector": 1, "search": 0}, BY_VECTOR),
        ({"search": 0}, BY_VECTOR),
        ({"vector": 5, "search": 3}, [6, 4, 1, 5, 3, 2, 8, 9, 10, 12, 13, 14, 11, 7, 15]),
    ],
    ids=["r10", "r10 empty", "r10 one", "r11", "r12", "r12 one", "r13"],
)
def test_r10_to_r13_weights(weights, expected) -> None:
    stage = fusion(SEARCHES, combination={"weights": weights})
    assert ids(aggregate([stage], MOVIES, indexes=INDEXES)) == expected


def test_r14_names_do_not_matter_for_two_pipelines() -> None:
    renamed = fusion({"z": SEARCHES["search"], "a": SEARCHES["vector"]})
    assert ids(aggregate([renamed], MOVIES, indexes=INDEXES)) == ids(
        aggregate([fusion(SEARCHES)], MOVIES, indexes=INDEXES)
    )


def test_details_carry_the_raw_score_and_the_details_of_a_search() -> None:
    inner = {"value": 3.5, "description": "sum of:", "details": []}
    search = FixedIndex([1, 0], [3.5, 2.5], searchScoreDetails=inner)
    body = {"index": "s", "text": {"path": "p", "query": "q"}, "scoreDetails": True}
    stage = fusion({"a": [{"$search": body}]}, scoreDetails=True)
    rows = aggregate([stage, DETAILED], MOVIES, indexes={"s": ("search", search)})
    assert rows[0]["details"]["details"] == [
        {
            "inputPipelineName": "a",
            "rank": 1,
            "weight": 1.0,
            "value": 3.5,
            "details": [],
            "description": "sum of:",
        }
    ]


@pytest.mark.parametrize(
    ("pipelines", "parsed", "lite_parsed"),
    [
        ({"a": [{"$limit": 5}]}, 9191100, 12108702),
        ({"a": []}, 9834300, 12108702),
        ({"a": [{"$match": {"$text": {"$search": "x"}}}]}, None, 12108702),
        ({"a": [{"$sort": {"n": 1}}, {"$project": {"n": 1}}]}, 9191103, 12108704),
        ({"a": [fusion({"b": EVERYTHING})]}, 10473002, 12108701),
        ({}, 2, 12108700),
        ({"$a": EVERYTHING}, 16410, 16410),
        ({"a.b": EVERYTHING}, 16412, 16412),
        ({"": EVERYTHING}, 15998, 15998),
        ({"a": [{"$search": {"index": "s", "returnStoredSource": True}}]}, 9191103, 12108704),
        ({"a": [{"$geoNear": {"near": [0, 0], "distanceField": "d"}}]}, None, 12108704),
        ({"a": [{"$score": {"score": "$n"}}, {"$sort": {"n": 1}}]}, 10614800, 12108703),
        ({"a": [{"$sort": {"n": 1}}, {"$nope": 1}]}, 40324, 12108704),
        ({"a": [{"$match": {}}, {"$search": {"index": "s"}}]}, 40602, 12108702),
        ({"a": {"$sort": {"n": 1}}}, 14, 14),
    ],
    ids=[
        "r15",
        "no stages",
        "text is no rank",
        "r16",
        "r17",
        "r23",
        "r24 dollar",
        "r24 dot",
        "r24 empty",
        "r28",
        "r27",
        "r29",
        "unknown stage",
        "search second",
        "no array",
    ],
)
def test_input_pipelines_are_refused_by_code(pipelines, parsed, lite_parsed) -> None:
    if parsed is not None:
        assert code_of([fusion(pipelines)], release=(8, 2)) == parsed
    assert code_of([fusion(pipelines)], release=(9, 0)) == lite_parsed


@pytest.mark.parametrize(
    ("weights", "code"),
    [
        ({"nope": 1}, 9967500),
        ({"a": -1}, 9460300),
        ({"a": "x"}, 13118),
        ({"a": True}, 13118),
        ({"a": 1, "b": 1}, 9460301),
    ],
    ids=["r19", "r20", "r21", "r21 bool", "r22"],
)
def test_weights_are_refused_by_code(weights, code) -> None:
    assert code_of([fusion({"a": EVERYTHING}, combination={"weights": weights})]) == code


def test_a_wrong_name_comes_with_a_suggestion() -> None:
    with pytest.raises(CommandError, match=r"'vectr' \(did you mean 'vector'"):
        aggregate([fusion({"vector": EVERYTHING, "b": EVERYTHING}, combination={"weights": {"vectr": 1}})])


def test_r18_it_comes_first() -> None:
    assert code_of([{"$limit": 1}, fusion({"a": EVERYTHING})]) == 10170100


def test_r25_details_that_were_not_asked_for() -> None:
    assert code_of([fusion({"a": EVERYTHING}), DETAILED]) == 40218


@pytest.mark.parametrize(
    ("stage", "code"),
    [
        ({"$rankFusion": 1}, 9),
        ({"$rankFusion": {}}, 40414),
        ({"$rankFusion": {"input": {}}}, 40414),
        ({"$rankFusion": {"input": {"pipelines": 1}}}, 14),
        (fusion({"a": EVERYTHING}, limit=3), 40415),
        (fusion({"a": EVERYTHING}, scoreDetails=1), 14),
        (fusion({"a": EVERYTHING}, combination={"k": 60}), 40415),
    ],
)
def test_the_document_is_strict(stage, code) -> None:
    assert code_of([stage]) == code


def test_r30_competition_ranks() -> None:
    documents = [{"_id": i, "k": k} for i, k in enumerate([7, 7, 7, 9])]
    rows = aggregate([fusion({"a": [{"$sort": {"k": 1}}]}), SCORED], documents)
    assert [row["score"] for row in rows] == [1 / 61, 1 / 61, 1 / 61, 1 / 64]


def test_a_search_with_its_own_sort_is_ranked_by_it() -> None:
    documents = [{"_id": 1, "y": 5}, {"_id": 2, "y": 5}, {"_id": 3, "y": 7}]
    index = FixedIndex([0, 1, 2], [3.0, 2.0, 1.0])
    stage = fusion({"a": [{"$search": {"index": "s", "text": {}, "sort": {"y": 1}}}]})
    rows = aggregate([stage, SCORED], documents, indexes={"s": ("search", index)})
    assert [row["score"] for row in rows] == [1 / 61, 1 / 61, 1 / 63]


@pytest.mark.parametrize("release", [(6, 0), (7, 0)])
def test_older_servers_do_not_know_it(release) -> None:
    assert code_of([fusion({"a": EVERYTHING})], release=release) == 40324


def test_sub_pipelines_since_8_1() -> None:
    union = [
        {"$unionWith": {"coll": "c", "pipeline": [fusion({"a": [{"$sort": {"_id": -1}}]}), {"$limit": 1}]}}
    ]
    assert code_of(union, release=(8, 0)) == 11178500
    assert ids(aggregate(union, release=(8, 1))) == [1, 2, 3, 4, 5, 5]


def test_metadata_of_a_fused_row() -> None:
    rows = aggregate(
        [fusion({"a": [{"$sort": {"_id": -1}}]}), {"$limit": 1}, {"$project": {"k": {"$meta": "sortKey"}}}]
    )
    assert rows == [{"_id": 5, "k": [1 / 61, 5]}]
    assert code_of([fusion({"a": EVERYTHING}), {"$group": {"_id": {"$meta": "score"}}}, SCORED]) == 40218


def test_rerank_is_unknown() -> None:
    assert (
        code_of([{"$rerank": {"query": {"text": "x"}, "path": "t", "numDocsToRerank": 5, "model": "m"}}])
        == 40324
    )
