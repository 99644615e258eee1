"""A search index keeps up with writes and answers as if it had been built from what is left."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

CAKES = ["cakes", "cookies and cakes", "vegetables", "oranges", "cakes and oranges", "cakes and kale"]
DYNAMIC = {"mappings": {"dynamic": True}}


def index_of(documents: Mapping[int, Mapping[str, Any]]) -> SearchIndex:
    index = open_search_index(DYNAMIC)
    for key, document in documents.items():
        index.put(key, document)
    return index


def titles(*texts: str) -> dict[int, dict[str, Any]]:
    return {key: {"_id": key, "title": text} for key, text in enumerate(texts)}


def answers(index: SearchIndex, query: str = "cakes") -> list[tuple[int, float]]:
    answer = index.search({"text": {"path": "title", "query": query}})
    return [(hit.key, hit.score) for hit in answer.hits]


def test_the_shortest_field_comes_first_and_ties_keep_the_order_of_insertion() -> None:
    assert [key for key, _ in answers(index_of(titles(*CAKES)))] == [0, 1, 4, 5]


def test_a_limit_keeps_the_first_hits_and_the_count() -> None:
    index = index_of(titles(*CAKES))
    answer = index.search({"text": {"path": "title", "query": "cakes"}}, limit=2)
    assert [hit.key for hit in answer.hits] == [0, 1]
    assert answer.meta == {"count": {"lowerBound": 4}}


def test_removed_documents_leave_no_trace_in_the_scores() -> None:
    index = index_of(titles(*CAKES))
    answers(index)
    index.remove(1)
    index.remove(3)
    left = {key: document for key, document in titles(*CAKES).items() if key not in (1, 3)}
    assert answers(index) == answers(index_of(left))


def test_a_replaced_document_moves_behind_all_others() -> None:
    index = index_of(titles("kale", "kale", "kale"))
    index.put(0, {"_id": 0, "title": "kale"})
    assert [key for key, _ in answers(index, "kale")] == [1, 2, 0]


def test_writes_between_searches_give_the_scores_of_one_build() -> None:
    index = open_search_index(DYNAMIC)
    for key, document in titles(*CAKES, *CAKES).items():
        index.put(key, document)
        answers(index)
    assert answers(index) == answers(index_of(titles(*CAKES, *CAKES)))


def test_a_phrase_runs_on_over_the_elements_of_an_array() -> None:
    index = index_of({0: {"tags": ["alpha beta", "gamma delta"]}})
    answer = index.search({"phrase": {"path": "tags", "query": "beta gamma"}})
    assert [hit.key for hit in answer.hits] == [0]


def test_embedded_documents_are_not_found_from_the_root() -> None:
    definition = {"mappings": {"fields": {"items": {"type": "embeddedDocuments", "dynamic": True}}}}
    index = open_search_index(definition)
    index.put(0, {"items": [{"name": "kale"}]})
    assert index.search({"text": {"path": "items.name", "query": "kale"}}).hits == []


@pytest.mark.parametrize(
    "operator",
    [
        {"hasAncestor": {"ancestorPath": "crew", "operator": {"exists": {"path": "crew.rank"}}}},
        {"hasRoot": {"operator": {"exists": {"path": "ship"}}}},
    ],
    ids=["hasAncestor", "hasRoot"],
)
def test_a_score_of_embedded_documents_is_refused_where_there_is_one_ancestor(operator: Any) -> None:
    embedded = {"type": "embeddedDocuments", "dynamic": True, "storedSource": True}
    crew = {**embedded, "fields": {"tasks": embedded}}
    index = open_search_index({"mappings": {"dynamic": True, "fields": {"crew": crew}}})
    index.put(0, {"ship": "s", "crew": [{"rank": 1, "tasks": [{"name": "x"}]}]})
    scope = {"returnScope": {"path": "crew.tasks"}, "returnStoredSource": True}
    assert [hit.score for hit in index.search({**operator, **scope}).hits] == [2.0]
    ((name, body),) = operator.items()
    scored = {name: {**body, "score": {"embedded": {"aggregate": "sum"}}}}
    with pytest.raises(EngineRefusal, match="'embedded' score is not allowed for this query type"):
        index.search({**scored, **scope})


def test_a_saved_index_answers_as_before_without_analysing_again(tmp_path: Path) -> None:
    documents = titles(*CAKES)
    index = index_of(documents)
    index.remove(2)
    index.save(tmp_path / "index")
    opened = open_search_index(DYNAMIC, folder=tmp_path / "index", document_of=documents.get)
    assert answers(opened) == answers(index)
    body = {"text": {"path": "title", "query": "kale"}, "highlight": {"path": "title"}}
    assert opened.search(body) == index.search(body)


def test_documents_put_after_loading_stand_behind_the_loaded_ones(tmp_path: Path) -> None:
    documents = titles("kale", "kale")
    index_of(documents).save(tmp_path / "index")
    opened = open_search_index(DYNAMIC, folder=tmp_path / "index", document_of=documents.get)
    opened.put(2, {"_id": 2, "title": "kale"})
    opened.remove(0)
    assert [key for key, _ in answers(opened, "kale")] == [1, 2]


def test_many_rewrites_leave_no_trace() -> None:
    documents = titles(*CAKES)
    index = index_of(documents)
    for _ in range(400):
        for key, document in documents.items():
            index.put(key, document)
    assert answers(index) == answers(index_of(documents))
    assert index.partitions[0].documents.size == len(documents)


@pytest.mark.parametrize(
    "query",
    [
        {"text": {"path": "t", "query": " ".join(f"w{at}" for at in range(1025))}},
        {"text": {"path": "t", "query": "same " * 1025, "matchCriteria": "all"}},
        {"text": {"path": "t", "query": ["one"] * 1025}},
        {"compound": {"should": [{"exists": {"path": f"p{at}"}} for at in range(1025)]}},
    ],
    ids=["words", "all of them", "texts", "clauses"],
)
def test_a_query_of_more_clauses_than_lucene_takes_is_refused(query: dict[str, Any]) -> None:
    text = "query has expanded into too many sub-queries internally: maxClauseCount is set to 1024"
    with pytest.raises(EngineRefusal, match=text):
        index_of(titles(*CAKES)).search(query)


def test_the_query_parser_says_it_in_its_own_words() -> None:
    words = " ".join(f"w{at}" for at in range(1025))
    with pytest.raises(EngineRefusal, match=r"^Cannot parse 'w0 .* w1024': too many boolean clauses$"):
        index_of(titles(*CAKES)).search({"queryString": {"defaultPath": "title", "query": words}})
    body = {"queryString": {"defaultPath": "title", "query": words.rpartition(" ")[0]}}
    assert index_of(titles(*CAKES)).search(body).hits == []


def test_a_malformed_body_is_refused_in_the_engines_words() -> None:
    with pytest.raises(EngineRefusal, match=r'^"text.query" is required$'):
        index_of({}).search({"text": {"path": "title"}})
