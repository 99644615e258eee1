"""Compound queries of any depth match what their clauses say, whatever they are rewritten to."""

from __future__ import annotations

import functools
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

WORDS = "abcde"
DOCUMENTS = [" ".join(word for at, word in enumerate(WORDS) if number >> at & 1) for number in range(32)]
KINDS = ("must", "filter", "should", "mustNot")

leaves = st.sampled_from(WORDS).map(lambda word: {"text": {"path": "t", "query": word}})


@st.composite
def compounds(draw: st.DrawFn, inner: st.SearchStrategy[dict[str, Any]]) -> dict[str, Any]:
    kinds = draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=4, unique=True))
    clauses: dict[str, Any] = {kind: draw(st.lists(inner, min_size=1, max_size=3)) for kind in kinds}
    if "should" in clauses:
        clauses["minimumShouldMatch"] = draw(st.integers(0, len(clauses["should"])))
    if draw(st.booleans()):
        clauses["score"] = {"boost": {"value": 2}}
    return {"compound": clauses}


queries = st.recursive(leaves, compounds, max_leaves=12)


@functools.cache
def index() -> SearchIndex:
    made = open_search_index({"mappings": {"dynamic": False, "fields": {"t": {"type": "string"}}}})
    for key, text in enumerate(DOCUMENTS):
        made.put(key, {"t": text})
    return made


def matches(query: dict[str, Any], words: set[str]) -> bool:
    """The rules in plain words."""
    if "text" in query:
        return query["text"]["query"] in words
    clauses = query["compound"]
    found = {kind: [matches(clause, words) for clause in clauses.get(kind, ())] for kind in KINDS}
    if any(found["mustNot"]) or not all(found["must"] + found["filter"]):
        return False
    least = clauses.get("minimumShouldMatch", 0)
    if found["should"] and not found["must"] and not found["filter"]:
        least = max(least, 1)
    return sum(found["should"]) >= least


@settings(max_examples=300, deadline=None)
@given(queries)
def test_matches_what_the_clauses_say(query: dict[str, Any]) -> None:
    hits = {hit.key for hit in index().search(query).hits}
    assert hits == {key for key, text in enumerate(DOCUMENTS) if matches(query, set(text.split()))}


@settings(max_examples=150, deadline=None)
@given(queries, st.integers(0, 40))
def test_a_limit_cuts_the_full_list(query: dict[str, Any], limit: int) -> None:
    full = index().search(query)
    cut = index().search(query, limit=limit)
    assert list(cut.hits) == list(full.hits)[:limit]
    assert cut.meta == full.meta


@settings(max_examples=150, deadline=None)
@given(queries)
def test_explanations_give_the_scores(query: dict[str, Any]) -> None:
    for hit in index().search({**query, "scoreDetails": True}).hits:
        explained = hit.meta["searchScoreDetails"]["value"]
        assert abs(explained - hit.score) <= 2e-6 * max(1.0, abs(hit.score))
