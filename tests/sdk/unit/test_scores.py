"""Scores know their kind, thresholds their direction."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from atlas_rag import CallError, Code, ReplyError, Score, ScoreKind, Similarity, Threshold
from atlas_rag.hits import Contribution, read_hits

RELEVANCE, DISTANCE = ScoreKind.TEXT_RELEVANCE, ScoreKind.DISTANCE


def test_better_is_greater_whatever_the_direction() -> None:
    assert Score(2, RELEVANCE) > Score(1, RELEVANCE)
    assert Score(1, DISTANCE) > Score(2, DISTANCE)
    assert max(Score(3, DISTANCE), Score(1, DISTANCE)).value == 1


@pytest.mark.parametrize("other", [Score(1, ScoreKind.RERANK), 1.0, None])
def test_kinds_do_not_mix(other: Any) -> None:
    with pytest.raises(CallError) as caught:
        _ = Score(1, RELEVANCE) < other
    assert caught.value.code is Code.SCORE_KIND_MISMATCH


@pytest.mark.parametrize(
    ("threshold", "score", "admitted"),
    [
        (Threshold(0.5, RELEVANCE), Score(0.5, RELEVANCE), True),
        (Threshold(0.5, RELEVANCE), Score(0.49, RELEVANCE), False),
        (Threshold(0.5, DISTANCE), Score(0.5, DISTANCE), True),
        (Threshold(0.5, DISTANCE), Score(0.51, DISTANCE), False),
        (Threshold(0.0, RELEVANCE), None, False),
    ],
)
def test_thresholds_follow_the_direction_and_equality_counts(
    threshold: Threshold, score: Score | None, admitted: bool
) -> None:
    assert threshold.admits(score) is admitted


def test_a_threshold_of_another_kind_is_refused_not_ignored() -> None:
    with pytest.raises(CallError):
        Threshold(0.5, ScoreKind.VECTOR_SIMILARITY).admits(Score(0.03, ScoreKind.RANK_FUSION))


def test_similarity_converts_to_the_deployments_scale() -> None:
    assert Similarity.cosine(0.2).value == 0.6
    assert Similarity.dot_product(-3).value == 0
    assert Similarity.euclidean(2).value == 0.2
    with pytest.raises(CallError):
        Similarity.cosine(1.5)


@pytest.mark.parametrize("value", [float("nan"), True, "1", None])
def test_a_score_is_a_number(value: Any) -> None:
    with pytest.raises(CallError):
        Score(value, RELEVANCE)


def row(score: Any = 1.5, **more: Any) -> dict[str, Any]:
    return {"document": {"_id": 1, "score": -999, "rank": 42}, "score": score, **more}


def test_the_score_is_the_metadatas_whatever_the_document_claims() -> None:
    (hit,) = read_hits([row()], RELEVANCE)
    assert (hit.score, hit.rank, hit.document["score"]) == (Score(1.5, RELEVANCE), 1, -999)


def test_a_missing_score_is_unscored_never_zero() -> None:
    hits = read_hits([row(None), {"document": {"_id": 2}}], RELEVANCE)
    assert [(hit.score, hit.unscored) for hit in hits] == [(None, True), (None, True)]


@pytest.mark.parametrize("absent", [0, "NA", None])
def test_an_absent_input_has_no_rank_however_the_server_says_it(absent: Any) -> None:
    details = {
        "details": [
            {"inputPipelineName": "a", "rank": 2, "value": 7.0},
            {"inputPipelineName": "b", "rank": absent},
        ]
    }
    (hit,) = read_hits(
        [row(details=details)],
        ScoreKind.RANK_FUSION,
        inputs={"a": RELEVANCE, "b": RELEVANCE},
        weights={"a": 0.5},
    )
    assert list(hit.contributions) == ["a", "b"]
    assert hit.ranks == {"a": 2, "b": None}
    assert hit.contributions["a"].value == 1 / 62 * 0.5
    assert hit.contributions["a"].score == Score(7.0, RELEVANCE)
    assert (hit.contributions["b"].rank, hit.contributions["b"].score, hit.contributions["b"].value) == (
        None,
        None,
        0,
    )


def test_an_input_that_the_reply_leaves_out_is_absent() -> None:
    (hit,) = read_hits([row(details={"details": []})], ScoreKind.RANK_FUSION, inputs={"a": RELEVANCE})
    assert hit.contributions["a"].rank is None


def test_contributions_are_a_mapping_like_any_other() -> None:
    details = {"details": [{"inputPipelineName": "a", "rank": 2, "value": 7.0}]}
    inputs = {"b": RELEVANCE, "a": RELEVANCE}
    one, other = read_hits([row(details=details)] * 2, ScoreKind.RANK_FUSION, inputs=inputs)
    assert one.contributions == other.contributions
    assert pickle.loads(pickle.dumps(one)) == one
    plain = {
        "a": Contribution(2, 1.0, 1 / 62, 7.0, RELEVANCE),
        "b": Contribution(None, 1.0, 0.0, None, RELEVANCE),
    }
    assert one.contributions == plain
    assert (len(one.contributions), list(one.contributions), repr(one.contributions)) == (
        2,
        ["a", "b"],
        repr(plain),
    )
    assert dict(one.contributions.items()) == plain
    assert "c" not in one.contributions


def test_a_contribution_that_is_no_number_is_an_error_when_it_is_read() -> None:
    details = {"details": [{"inputPipelineName": "a", "rank": 1, "value": "high"}]}
    (hit,) = read_hits([row(details=details)], ScoreKind.RANK_FUSION, inputs={"a": RELEVANCE})
    with pytest.raises(ReplyError):
        hit.contributions["a"]


@pytest.mark.parametrize("bad", [{}, {"document": {"x": 1}}, row("high")], ids=str)
def test_a_reply_of_another_shape_is_an_error(bad: dict[str, Any]) -> None:
    with pytest.raises(ReplyError):
        read_hits([bad], RELEVANCE)


def test_kinds_survive_pickling_and_reprs_hide_documents() -> None:
    (hit,) = read_hits([{"document": {"_id": 1, "text": "secret"}, "score": 1.0}], RELEVANCE)
    assert pickle.loads(pickle.dumps(hit)).score == hit.score
    assert "secret" not in repr(hit)
