"""A definition of any age or shape is refused or run behind the search: it never ends as a bare error."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atlas_rag import AtlasRagError, Filter, KeywordInput, LocalClient, Retriever, VectorInput
from atlas_rag.capability.report import SearchIndex
from tests.support.filter_drawing import search_definitions, vector_definition

WORDS = st.sampled_from(
    [
        *(
            "mappings",
            "dynamic",
            "fields",
            "type",
            "typeSet",
            "typeSets",
            "name",
            "types",
            "path",
            "nestedRoot",
        ),
        *(
            "token",
            "string",
            "filter",
            "vector",
            "document",
            "embeddedDocuments",
            "fromTheFuture",
            "normalizer",
        ),
        *("representation", "analyzer", "a", "b", "c", "d", "v", "text", "numDimensions", "similarity"),
    ]
)
leaves = st.none() | st.booleans() | st.integers(-2, 2) | st.floats() | WORDS
junk = st.recursive(
    leaves,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=12,
)
documents = st.dictionaries(WORDS, junk, max_size=4)


@st.composite
def spoilt(draw: st.DrawFn, sound: Any) -> Any:
    """A sound definition with junk somewhere in it."""
    definition = copy.deepcopy(draw(sound))  # strategies share parts
    place = definition
    while True:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return definition
        key = draw(st.sampled_from(keys))
        if not isinstance(place[key], (dict, list)) or draw(st.booleans()):
            place[key] = draw(junk)
            return definition
        place = place[key]


searches = documents | spoilt(search_definitions)
vectors = documents | spoilt(st.builds(vector_definition, st.sampled_from(["v", "c.v"]), st.sets(WORDS)))
conditions = st.sampled_from(
    [
        Filter.where_not("a", "x"),
        ~Filter.where("c.d", 5) & Filter.where_missing("b"),
        Filter.where_like("a", "x%") | Filter.where("c.d", None),
    ]
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(searches, vectors, conditions, st.sampled_from(["hybrid", "vector", "keyword"]), st.booleans())
def test_no_definition_ends_as_a_bare_error(
    search: Any, vector: Any, condition: Filter, mode: str, behind: bool
) -> None:
    retriever = Retriever(
        LocalClient()["db"]["c"],
        inputs=(VectorInput(path="v"), KeywordInput(paths=("text", "a.b"))),
        store_filter=condition,
    )
    indexes = tuple(
        SearchIndex(name=name, type=kind, status="READY", queryable=True, definition=definition)
        for name, kind, definition in (
            ("text_index", "search", search),
            ("vector_index", "vectorSearch", vector),
        )
    )
    report = retriever.capability().model_copy(update={"indexes": indexes})
    try:
        plan = retriever.plan(
            report,
            "words",
            vector=[1.0, 0.0],
            mode=mode,
            filter_policy="postfilter" if behind else "refuse",
        )
    except AtlasRagError:
        return
    assert "$match" in str([command.body for command in plan.commands()])
