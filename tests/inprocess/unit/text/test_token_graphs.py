"""Texts whose tokens share positions or span several: one way through the graph must be there."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.token_graph import Step, TokenGraph
from tests.support.text_index import indexed, keys, scores

SHINGLES = {
    "name": "shingles",
    "tokenizer": {"type": "standard"},
    "tokenFilters": [{"type": "lowercase"}, {"type": "shingle", "minShingleSize": 2, "maxShingleSize": 3}],
}
PARTS = {
    "name": "parts",
    "tokenizer": {"type": "whitespace"},
    "tokenFilters": [
        {"type": "wordDelimiterGraph", "delimiterOptions": {"preserveOriginal": True}},
        {"type": "flattenGraph"},
        {"type": "lowercase"},
    ],
}
EQUIVALENT = [{"mappingType": "equivalent", "synonyms": ["sofa", "couch"]}]
SOFAS = [{"t": "red sofa"}, {"t": "red couch couch"}, {"t": "blue couch"}, {"t": "green chair"}]


def graphs() -> Any:
    fields = {"t": {"type": "string", "analyzer": "shingles"}, "w": {"type": "string", "analyzer": "parts"}}
    documents = [
        {"t": "fresh green tea"},
        {"t": "green tea pot"},
        {"w": "model X200b ready"},
        {"w": "200 x"},
        {"w": "200 b"},
    ]
    return indexed(fields, documents, analyzers=[SHINGLES, PARTS])


def test_all_terms_of_one_way_are_required() -> None:
    index = graphs()
    assert keys(index, text={"path": "t", "query": "fresh green tea"}) == [0]
    assert keys(index, text={"path": "t", "query": "fresh green tea", "matchCriteria": "all"}) == [0]
    assert keys(index, text={"path": "t", "query": "green tea"}) == [0, 1]
    assert sorted(keys(index, text={"path": "w", "query": "200b"})) == [2, 4]


def test_phrases_and_query_strings_read_graphs_too() -> None:
    index = graphs()
    assert keys(index, phrase={"path": "t", "query": "fresh green tea"}) == [0]
    assert sorted(keys(index, phrase={"path": "w", "query": "200b"})) == [2, 4]
    assert sorted(keys(index, queryString={"defaultPath": "w", "query": "200b"})) == [2, 4]
    assert keys(index, queryString={"defaultPath": "t", "query": '"fresh green tea"'}) == [0]


def test_autocomplete_adds_the_whole_text_as_a_graph() -> None:
    field = [{"type": "autocomplete"}, {"type": "string", "analyzer": "parts"}]
    index = indexed({"t": field}, [{"t": "x200b"}, {"t": "200 x"}], analyzers=[PARTS])
    found = scores(index, autocomplete={"path": "t", "query": "x200b"})
    assert [key for key, _ in found] == [0]


@pytest.mark.parametrize(
    "body",
    [
        {"phrase": {"path": "t", "query": "sofa", "synonyms": "s"}},
        {"text": {"path": "t", "query": "sofa", "synonyms": "s", "matchCriteria": "any"}},
        {"text": {"path": "t", "query": "sofa", "synonyms": "s", "matchCriteria": "all"}},
    ],
    ids=["phrase", "any", "all"],
)
def test_one_word_synonyms_count_as_one_term_and_the_text_as_asked_twice(body: dict[str, Any]) -> None:
    index = indexed({"t": {"type": "string"}}, SOFAS, synonyms=EQUIVALENT)
    assert scores(index, **body) == [(0, 1.593832), (1, 0.396084), (2, 0.33007)]


def test_synonyms_within_a_phrase_are_alternatives_at_their_place() -> None:
    index = indexed({"t": {"type": "string"}}, SOFAS, synonyms=EQUIVALENT)
    assert keys(index, phrase={"path": "t", "query": "red sofa", "synonyms": "s"}) == [0, 1]
    assert keys(index, phrase={"path": "t", "query": "sofa red", "synonyms": "s", "slop": 2}) == [0, 1]


def test_a_word_that_several_rules_give_counts_once_and_as_itself() -> None:
    explicit = {"mappingType": "explicit", "input": ["sofa"], "synonyms": ["sofa", "settee"]}
    index = indexed({"t": {"type": "string"}}, SOFAS, synonyms=[*EQUIVALENT, explicit])
    assert scores(index, phrase={"path": "t", "query": "sofa", "synonyms": "s"})[0] == (0, 1.593832)


def test_a_phrase_of_stacked_terms_behind_a_dropped_word_takes_any_of_them() -> None:
    stacked = {
        "name": "stacked",
        "tokenizer": {"type": "standard"},
        "tokenFilters": [
            {"type": "stopword", "tokens": ["the"]},
            {"type": "asciiFolding", "originalTokens": "include"},
        ],
    }
    index = indexed({"t": {"type": "string", "analyzer": "stacked"}}, [{"t": "cafe"}], analyzers=[stacked])
    assert keys(index, phrase={"path": "t", "query": "the café"}) == [0]


def test_what_no_way_to_the_end_passes_is_left_out() -> None:
    graph = TokenGraph([Step("a", 1, 2), Step("b", 0), Step("c", 2)])  # the hole before c: a leads nowhere
    assert graph.terms(0) == ["b"]
    assert graph.cuts() == [1, 3]
    assert [[step.term for step in way] for way in graph.ways()] == [["b", "c"]]


def test_a_graph_with_more_ways_than_clauses_is_refused_without_listing_them() -> None:
    index = graphs()
    text = " ".join(f"w{at}" for at in range(900))
    with pytest.raises(EngineRefusal, match="maxClauseCount is set to 1024"):
        keys(index, phrase={"path": "t", "query": text})
    with pytest.raises(EngineRefusal, match="maximum recursion level"):
        keys(index, text={"path": "t", "query": f"{text} {text}"})
