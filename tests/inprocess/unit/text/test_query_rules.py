"""Single rules of operators: minimumShouldMatch of a dismax, spans, messages, sources of highlights."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from tests.support.text_index import indexed, keys, scores

SOUNDS = {
    "name": "sounds",
    "tokenizer": {"type": "whitespace"},
    "tokenFilters": [{"type": "daitchMokotoffSoundex", "originalTokens": "omit"}],
}
FIELDS: dict[str, Any] = {
    "t": {"type": "string"},
    "p": {"type": "string", "store": False},
    "s": {"type": "string", "analyzer": "sounds"},
}
TEXTS = [{"t": "red sofa"}, {"t": "red couch"}, {"t": "red sofa couch"}]


def words(*given: str) -> list[dict[str, Any]]:
    return [{"text": {"path": "t", "query": word}} for word in given]


def test_a_dismax_compound_honours_minimum_should_match() -> None:
    index = indexed({"t": {"type": "string"}}, TEXTS)
    dismax = {"should": words("red", "sofa", "couch"), "score": {"dismax": {"tieBreakerScore": 0}}}
    single = dict(scores(index, compound=dismax))
    assert sorted(single) == [0, 1, 2]
    for least, found in ((1, [0, 1, 2]), (2, [0, 1, 2]), (3, [2])):
        hits = scores(index, compound={**dismax, "minimumShouldMatch": least})
        assert sorted(key for key, _ in hits) == found
        assert all(single[key] == score for key, score in hits)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"span": {"near": {"clauses": [{"term": {"path": "t", "query": "red"}}]}}},
            "Less than 2 subSpans.size():1",
        ),
        (
            {"span": {"term": {"path": "t", "query": "red", "score": {"constant": {"value": 1}}}}},
            "Only 'boost' score is allowed for a span query",
        ),
        (
            {"queryString": {"defaultPath": "t", "query": "$type:x"}},
            "Cannot parse '$type:x': field $type cannot begin with $",
        ),
        (
            {"queryString": {"defaultPath": "t", "query": "a $b:(c OR d)"}},
            "Cannot parse 'a $b:(c OR d)': field $b cannot begin with $",
        ),
        ({"queryString": {"defaultPath": "", "query": "a"}}, "defaultField cannot be empty"),
        (
            {"queryString": {"defaultPath": "t", "query": "/a(/"}},
            "Cannot parse '/a(/': 'a(' is not a valid regular expression",
        ),
        ({"phrase": {"path": "t", "query": "a", "synonyms": "x"}}, 'unknown synonym mapping name "x"'),
        (
            {"text": {"path": "p", "query": "a"}, "highlight": {"path": "p"}},
            "Highlights can not be generated for path:p. Index definition specifies store:false",
        ),
        (
            {"text": {"path": "p", "query": "a"}, "highlight": {"path": "none"}},
            "Highlights cannot be generated. Path: none is not indexed as string with store: true",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_refusals_are_in_the_engines_words(body: dict[str, Any], message: str) -> None:
    index = indexed(FIELDS, [{"t": "red", "p": "a"}], analyzers=[SOUNDS])
    with pytest.raises(EngineRefusal) as refusal:
        index.search(body)
    assert refusal.value.text == message


def test_soundex_does_not_hear_apostrophes() -> None:
    index = indexed(FIELDS, [{"s": "mayors"}], analyzers=[SOUNDS])
    assert keys(index, text={"path": "s", "query": "mayor's"}) == [0]


def highlighted(text: str, limit: int) -> Any:
    body = {
        "text": {"path": "t", "query": ["red", "coffee"]},
        "highlight": {"path": "t", "maxCharsToExamine": limit},
    }
    return indexed({"t": {"type": "string"}}, [{"t": text}]).search(body).hits[0].meta["searchHighlights"]


def test_only_what_is_examined_counts_for_the_passages() -> None:
    (whole,) = highlighted("red tea. ", 500)
    (cut,) = highlighted("red tea. red red red", 9)
    assert cut == whole
    (part,) = highlighted("red coffeehouse", 10)
    assert [each["value"] for each in part["texts"] if each["type"] == "hit"] == ["red", "coffee"]
