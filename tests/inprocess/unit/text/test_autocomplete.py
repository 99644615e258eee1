"""The `autocomplete` type and operator: its own analyzer, holes, limits, highlights."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import open_search_index
from atlas_rag.inprocess.search.search_index.fields.autocomplete import AutocompleteField
from tests.support.text_index import indexed, keys, scores

GRAMS = {"type": "autocomplete", "minGrams": 3}
TEXTS = [{"name": "The running shoes"}, {"name": "apple pie"}]


def field(**options: Any) -> AutocompleteField:
    node = indexed({"t": {"type": "autocomplete", **options}}, []).mapping.node("t")
    grams = None if node is None else node.autocomplete
    assert grams is not None
    return grams


@pytest.mark.parametrize("query", ["the", "runn", "running sho", "shoes"])
def test_the_default_analyzer_is_the_standard_one_whatever_the_index_says(query: str) -> None:
    index = indexed({"name": GRAMS}, TEXTS, analyzer="lucene.english", searchAnalyzer="lucene.english")
    assert keys(index, autocomplete={"path": "name", "query": query}) == [0]


def test_type_sets_reach_nested_documents_with_the_same_default_analyzer() -> None:
    index = open_search_index(
        {
            "analyzer": "lucene.english",
            "typeSets": [{"name": "grams", "types": [GRAMS]}],
            "mappings": {
                "dynamic": {"typeSet": "grams"},
                "fields": {"inner": {"type": "document", "dynamic": True}},
            },
        }
    )
    index.put(0, {"name": "The running shoes", "inner": {"name": "The apple"}})
    assert keys(index, autocomplete={"path": "name", "query": "the"}) == [0]
    assert keys(index, autocomplete={"path": "inner.name", "query": "the"}) == [0]
    assert keys(index, text={"path": "inner.name", "query": "apple"}) == []


def test_dropped_words_leave_fillers_in_the_shingles() -> None:
    terms, positions = field(analyzer="lucene.english", minGrams=4).grams("king of the hill")
    assert {"king", "king _", "king _ _", "_ _ hill", "_ hill", "hill"} <= set(terms)
    assert "_ _" not in terms
    assert [positions[terms.index(term)] for term in ("king", "_ _ hill", "_ hill", "hill")] == [0, 1, 2, 3]


@pytest.mark.parametrize("text", ["king of the hill", "the king", "a tale of", "Über \U0001f98a cafés", ""])
def test_placed_grams_are_the_indexed_ones(text: str) -> None:
    english = field(analyzer="lucene.english", minGrams=2, maxGrams=9)
    terms, positions = english.grams(text)
    placed = [(gram, place) for gram, _, _, place in english.placed_grams(text)]
    assert placed == list(zip(terms, positions, strict=True))


def test_a_fuzzy_prefix_may_be_as_long_as_the_longest_gram() -> None:
    index = indexed({"t": {"type": "autocomplete", "maxGrams": 4}}, [{"t": "mountain"}])
    assert keys(index, autocomplete={"path": "t", "query": "moun", "fuzzy": {"prefixLength": 4}}) == [0]
    with pytest.raises(EngineRefusal, match="minimum fuzzy prefix length"):
        keys(index, autocomplete={"path": "t", "query": "moun", "fuzzy": {"prefixLength": 5}})


def highlights(options: dict[str, Any], query: str, **operator: Any) -> list[list[tuple[str, str]]]:
    index = indexed({"t": {"type": "autocomplete", **options}}, [{"t": "blue mountain coffee"}])
    body = {"autocomplete": {"path": "t", "query": query, **operator}, "highlight": {"path": "t"}}
    passages = index.search(body).hits[0].meta["searchHighlights"]
    return [[(text["type"], text["value"]) for text in each["texts"]] for each in passages]


def test_a_path_mapped_as_autocomplete_alone_is_highlighted_by_the_runs_of_its_grams() -> None:
    assert highlights({}, "moun") == [[("text", "blue "), ("hit", "mountain coffee")]]
    assert highlights({"tokenization": "nGram"}, "ount") == [[("hit", "blue mountain coffee")]]
    assert highlights({}, "coff", tokenOrder="sequential") == [
        [("text", "blue mountain "), ("hit", "coffee")]
    ]
    assert highlights({}, "moan", fuzzy={"maxEdits": 1}) == [[("text", "blue "), ("hit", "mountain coffee")]]


def test_scores_count_the_grams_of_every_run() -> None:
    index = indexed({"name": GRAMS}, [*TEXTS[:1], {"name": "filler text behind it"}])
    (_, whole), (_, twice), (_, once) = (
        scores(index, autocomplete={"path": "name", "query": query})[0] for query in ("the", "runn", "shoes")
    )
    assert whole > twice > once
