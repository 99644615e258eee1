"""A search index answers the same whether kept up by writes, saved and opened, or built anew."""

from __future__ import annotations

import tempfile
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from atlas_rag.inprocess.client import LocalClient

WORDS = st.lists(st.sampled_from(["red", "green", "blue", "deep", "apple"]), min_size=0, max_size=5).map(
    " ".join
)
VECTORS = st.lists(st.integers(-3, 3).map(float), min_size=2, max_size=2)
FIELDS = st.fixed_dictionaries({"t": WORDS, "k": st.sampled_from(["a", "b"])}, optional={"v": VECTORS})
IDENTIFIERS = st.integers(0, 7)
ACTIONS = st.one_of(
    st.tuples(st.just("put"), IDENTIFIERS, FIELDS),
    st.tuples(st.just("delete"), IDENTIFIERS, st.none()),
    st.tuples(st.just("search"), IDENTIFIERS, st.none()),
    st.tuples(st.just("reopen"), IDENTIFIERS, st.none()),
)

TEXT = {"mappings": {"dynamic": False, "fields": {"t": {"type": "string"}, "k": {"type": "token"}}}}
VECTOR = {
    "fields": [
        {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "euclidean"},
        {"type": "filter", "path": "k"},
    ]
}


def models(suffix: str) -> list[dict[str, Any]]:
    return [
        {"name": "text" + suffix, "type": "search", "definition": TEXT},
        {"name": "vector" + suffix, "type": "vectorSearch", "definition": VECTOR},
    ]


def answers(things: Any, suffix: str) -> list[Any]:
    """Hits with scores; documents of equal score in order of their ids, since that order is history."""
    found = []
    for word in ("red", "blue apple"):
        search = {"$search": {"index": "text" + suffix, "text": {"path": "t", "query": word}}}
        found.append(_scored(things, search, "searchScore"))
    nearest = {"index": "vector" + suffix, "path": "v", "queryVector": [1.0, 2.0], "exact": True, "limit": 20}
    found.append(_scored(things, {"$vectorSearch": nearest}, "vectorSearchScore"))
    nearest = nearest | {"filter": {"k": "a"}}
    found.append(_scored(things, {"$vectorSearch": nearest}, "vectorSearchScore"))
    return found


def _scored(things: Any, stage: dict[str, Any], score: str) -> list[Any]:
    hits = things.aggregate([stage, {"$project": {"t": 1, "score": {"$meta": score}}}])
    return sorted((-hit["score"], hit["_id"], hit["t"]) for hit in hits)


@settings(max_examples=60, deadline=None)
@given(actions=st.lists(ACTIONS, max_size=25))
def test_an_index_answers_as_one_built_anew(actions: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        client = LocalClient(folder)
        things = client["shop"].create_collection("things")
        things.create_search_indexes(models(""))
        for action, identifier, fields in actions:
            if action == "put":
                things.replace_one({"_id": identifier}, fields, upsert=True)
            elif action == "delete":
                things.delete_one({"_id": identifier})
            elif action == "search":
                answers(things, "")
            else:
                client.close()
                client = LocalClient(folder)
                things = client["shop"]["things"]
        things.create_search_indexes(models("-anew"))
        kept, anew = answers(things, ""), answers(things, "-anew")
        client.close()
    assert kept == anew
