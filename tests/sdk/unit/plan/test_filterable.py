"""What an index can decide of a filter, by its definition alone."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from uuid import UUID

import pytest
from bson import ObjectId

from atlas_rag import CallError, Code, Filter, field
from atlas_rag.capability.report import SearchIndex
from atlas_rag.grammar.definitions.mappings import HIDDEN_TYPES, TYPES
from atlas_rag.grammar.field_types import FIELD_TYPES
from atlas_rag.plan.filterable import Levels, divide, split_levels, undecided
from atlas_rag.plan.filterable.text_paths import unmapped
from atlas_rag.query.filter import all_of, any_of
from atlas_rag.stages.filters import simplify

BIG = 1234567890123456789
NOW, ID, UNIQUE = dt.datetime(2026, 1, 2), ObjectId("0" * 24), UUID(int=7)
NEEDED = {"x": "token", 5: "number", True: "boolean", NOW: "date", ID: "objectId", UNIQUE: "uuid"}


def search(fields: Any = None, *, dynamic: Any = False, **rest: Any) -> SearchIndex:
    return listed("search", {"mappings": {"dynamic": dynamic, "fields": fields or {}}, **rest})


def vectors(*paths: str, **rest: Any) -> SearchIndex:
    filters = [{"type": "filter", "path": path} for path in paths]
    vector = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}
    return listed("vectorSearch", {"fields": [vector, *filters], **rest})


def listed(kind: Any, definition: Any) -> SearchIndex:
    return SearchIndex(name="i", type=kind, status="READY", queryable=True, definition=definition)


# ------------------------------------------------------------------ search indexes: types


@pytest.mark.parametrize("value", NEEDED, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("mapped", [*FIELD_TYPES])
def test_a_value_needs_the_one_type_that_compares_it_whole(value: Any, mapped: str) -> None:
    index = search({"p": {"type": mapped}})
    positive, negative = Filter.where("p", value), ~Filter.where("p", value)
    other, many = Filter.where_not("p", value), Filter.where_not_in("p", [value, None])
    for condition in (positive, negative, other, many):
        problems = undecided(condition, index)
        assert bool(problems) == (mapped != NEEDED[value])
        assert all(NEEDED[value] in one.line and mapped in one.has for one in problems)


@pytest.mark.parametrize("value", NEEDED, ids=lambda value: type(value).__name__)
def test_a_dynamic_mapping_compares_everything_but_strings(value: Any) -> None:
    index = search(dynamic=True)
    assert bool(undecided(Filter.where_not("p.q", value), index)) == (value == "x")


def test_the_line_to_add_keeps_what_is_there() -> None:
    (problem,) = undecided(Filter.where("meta.status", "x"), search(dynamic=True))
    string, token = {"type": "string"}, {"type": "token"}
    nested = {"type": "document", "fields": {"status": [string, token]}}
    assert json.loads(problem.line) == {"meta": nested}
    (problem,) = undecided(Filter.where("p", "x"), search({"p": {"type": "autocomplete"}}))
    assert json.loads(problem.line) == {"p": [{"type": "autocomplete"}, token]}
    assert problem.line in problem.next_step


@pytest.mark.parametrize(
    "fields",
    [
        {"p": {"type": "token"}},
        {"p": [{"type": "string"}, {"type": "token", "normalizer": "none"}]},
        {"p": ({"type": "string"}, {"type": "token", "normalizer": None})},
        {"p": [{"type": "token"}, {"type": "fromTheFuture", "x": 1}]},
    ],
)
def test_a_token_among_other_types_compares_strings(fields: Any) -> None:
    for condition in (
        Filter.where("p", "Acme"),
        Filter.where_gte("p", "a"),
        ~Filter.where_in("p", ["a", "b"]),
    ):
        assert not undecided(condition, search(fields))


def test_a_normalizer_compares_other_strings() -> None:
    (problem,) = undecided(
        Filter.where("p", "Acme"), search({"p": {"type": "token", "normalizer": "lowercase"}})
    )
    assert "lowercase" in problem.has
    assert json.loads(problem.line) == {"p": {"type": "token"}}
    assert not problem.loose


def test_a_string_beyond_what_a_token_keeps_is_not_compared() -> None:
    index = search({"p": {"type": "token"}})
    assert not undecided(Filter.where("p", "x" * 8190), index)
    for long in ("x" * 8191, "\U0001f600" * 4096):
        assert undecided(Filter.where("p", long), index)
        assert undecided(~Filter.where_in("p", ["a", long]), index)
        assert undecided(Filter.where_gt("p", long), vectors("p"), vector_path="v")


# ------------------------------------------------------------------ search indexes: presence, null, patterns


@pytest.mark.parametrize("mapped", [*FIELD_TYPES])
def test_presence_and_null_need_any_type(mapped: str) -> None:
    index = search({"p": {"type": mapped}})
    for condition in (Filter.where_exists("p"), Filter.where_missing("p"), Filter.where("p", None)):
        assert not undecided(condition, index)
        assert undecided(condition, search({"q": {"type": mapped}}))
        assert not undecided(condition, search(dynamic=True))


def test_patterns_need_a_keyword_string() -> None:
    like = Filter.where_like("p", "a%")
    keyword = {"type": "string", "analyzer": "lucene.keyword"}
    assert not undecided(like, search({"p": keyword}))
    assert not undecided(~like, search({"p": [{"type": "token"}, keyword]}))
    assert not undecided(like, search(dynamic=True, analyzer="lucene.keyword"))
    assert not undecided(like, search({"p": {"type": "string"}}, analyzer="lucene.keyword"))
    for index in (
        search({"p": {"type": "token"}}),
        search({"p": {"type": "string"}}),
        search(dynamic=True),
        search({"p": keyword | {"searchAnalyzer": "lucene.standard"}}),
        search({"p": {"type": "string"}}, analyzer="lucene.keyword", searchAnalyzer="lucene.standard"),
        search({"p": keyword | {"ignoreAbove": 10}}),
        search({"p": {"type": "string", "multi": {"k": keyword}}}),
    ):
        (problem,) = undecided(like, index)
        assert "lucene.keyword" in problem.line
    (problem,) = undecided(like, vectors("p"), vector_path="v")
    assert "like" in problem.has


# ------------------------------------------------------------------ search indexes: levels


@pytest.mark.parametrize(
    ("mappings", "decided"),
    [
        ({"fields": {"a": {"type": "document", "fields": {"b": {"type": "token"}}}}}, True),
        ({"fields": {"a": {"type": "document", "dynamic": True}}}, False),
        ({"dynamic": True, "fields": {"a": {"type": "document"}}}, False),
        ({"dynamic": True, "fields": {"a": {"type": "string"}}}, False),
        ({"fields": {"a": {"type": "embeddedDocuments", "fields": {"b": {"type": "token"}}}}}, False),
        (
            {
                "fields": {
                    "a": [
                        {"type": "embeddedDocuments", "dynamic": True},
                        {"type": "document", "fields": {"b": {"type": "token"}}},
                    ]
                }
            },
            True,
        ),
        ({"fields": {"a.b": {"type": "token"}}}, False),
        ({"dynamic": {"typeSet": "s"}}, True),
        ({"fields": {"a": {"type": "document", "dynamic": {"typeSet": "s"}}}}, True),
        ({"dynamic": {"typeSet": "other"}}, False),
        ({"dynamic": None, "fields": None}, False),
    ],
)
def test_a_path_below_is_read_level_by_level(mappings: Any, decided: bool) -> None:
    definition = {"mappings": mappings, "typeSets": [{"name": "s", "types": [{"type": "token"}]}]}
    assert bool(undecided(Filter.where_not("a.b", "x"), listed("search", definition))) != decided


def test_positions_of_arrays_are_not_indexed() -> None:
    for index in (search(dynamic=True), vectors("a.0.b")):
        (problem,) = undecided(Filter.where("a.0.b", 5), index, vector_path="v")
        assert "positions" in problem.has


# ------------------------------------------------------------------ numbers


@pytest.mark.parametrize("value", [BIG, -BIG, 2**53, -(2**53), 2**63 - 1, -(2**63), 2.0**60, 2.0**63])
def test_integers_beyond_doubles_need_int64(value: Any) -> None:
    condition = Filter.where("n", value)
    (problem,) = undecided(condition, search({"n": {"type": "number"}}))
    assert json.loads(problem.line) == {"n": {"type": "number", "representation": "int64"}}
    assert undecided(condition, search(dynamic=True))
    assert undecided(condition, vectors("n"), vector_path="v")


@pytest.mark.parametrize("value", [0, 5, -5, 1.5, 2**53 - 1, 1e300, -1e300])
@pytest.mark.parametrize("operator", ["eq", "gt", "gte", "lt", "lte"])
def test_numbers_that_doubles_tell_apart_are_decided(value: Any, operator: str) -> None:
    condition = Filter.from_dict({"n": {f"${operator}": value}})
    for index in (search({"n": {"type": "number"}}), search(dynamic=True), vectors("n")):
        assert not undecided(condition, index, vector_path="v")
        assert not undecided(~condition, index, vector_path="v")


INT64 = search({"n": {"type": "number", "representation": "int64"}})


def test_int64_tells_large_integers_apart() -> None:
    for condition in (
        Filter.where("n", BIG),
        Filter.where_in("n", [BIG, BIG + 1]),
        Filter.where_gt("n", BIG),
    ):
        assert not undecided(condition, INT64)
        assert not undecided(~condition, INT64)


@pytest.mark.parametrize(
    ("condition", "loose"),
    [
        (Filter.where("n", 5), True),
        (Filter.where_in("n", [5, BIG]), True),
        (~Filter.where("n", 5), False),
        (Filter.where_not("n", 5), False),
        (Filter.where("n", 5.5), False),
        (Filter.where_gt("n", 5), False),
        (Filter.where_lt("n", -5), False),
        (Filter.where_lte("n", 5), True),
        (Filter.where_gte("n", -5), True),
        (~Filter.where_gte("n", -5), False),
        (Filter.where("n", 2**63 - 1), True),
    ],
    ids=str,
)
def test_int64_cuts_fractions_off(condition: Filter, loose: bool) -> None:
    (problem,) = undecided(condition, INT64)
    assert problem.loose is loose


@pytest.mark.parametrize(
    ("condition", "loose"),
    [
        (Filter.where("n", BIG), True),
        (Filter.where_in("n", [1, BIG]), True),
        (Filter.where_gte("n", BIG), True),
        (Filter.where_gt("n", BIG), False),
        (Filter.where_not("n", BIG), False),
        (~Filter.where_lte("n", BIG), False),
        (~~Filter.where("n", BIG), True),
    ],
    ids=str,
)
def test_vector_filters_find_neighbours_of_large_integers(condition: Filter, loose: bool) -> None:
    (problem,) = undecided(condition, vectors("n"), vector_path="v")
    assert (problem.loose, problem.line) == (loose, "")


@pytest.mark.parametrize("option", ["indexIntegers", "indexDoubles"])
def test_a_number_that_drops_some_decides_none(option: str) -> None:
    assert undecided(Filter.where("n", 5), search({"n": {"type": "number", option: False}}))
    assert not undecided(Filter.where("n", 5), search({"n": {"type": "number", option: True}}))


# ------------------------------------------------------------------ vectorSearch indexes


def test_a_vector_index_needs_a_filter_path() -> None:
    (problem,) = undecided(Filter.where("a", 1) & Filter.where("b", 2), vectors("a"), vector_path="v")
    assert (problem.path, json.loads(problem.line)) == ("b", {"type": "filter", "path": "b"})
    assert undecided(Filter.where("v", None), vectors("a"), vector_path="v")
    for value in (*NEEDED, None):
        assert not undecided(Filter.where_not("a", value), vectors("a"), vector_path="v")


ROOT, PART, OTHER = Filter.where("tenant", "x"), Filter.where("parts.lang", "en"), Filter.where("parts.n", 1)
NESTED = vectors("tenant", "parts.lang", "parts.n", nestedRoot="parts")


@pytest.mark.parametrize(
    ("condition", "child", "parent"),
    [
        (ROOT, None, ROOT),
        (~ROOT, None, ~ROOT),
        (PART, PART, None),
        (ROOT & PART, PART, ROOT),
        (
            ~ROOT & (PART | OTHER) & Filter.where_exists("tenant"),
            PART | OTHER,
            ~ROOT & Filter.where_exists("tenant"),
        ),
        (ROOT | ~ROOT, None, ROOT | ~ROOT),
    ],
    ids=str,
)
def test_levels_are_asked_apart(condition: Filter, child: Filter | None, parent: Filter | None) -> None:
    assert split_levels(condition, "parts") == Levels(child, parent)
    assert not undecided(condition, NESTED, vector_path="parts.v")


@pytest.mark.parametrize(
    "condition",
    [
        ROOT | PART,
        ~(ROOT & PART),
        PART & OTHER,
        ~PART,
        Filter.where_not("parts.lang", "en"),
        (PART & OTHER) | PART,
    ],
    ids=str,
)
def test_what_levels_cannot_say_together_is_undecided(condition: Filter) -> None:
    assert undecided(condition, NESTED, vector_path="parts.v")
    simple = simplify(condition)
    assert isinstance(simple, Filter)
    with pytest.raises(CallError) as caught:
        split_levels(simple, "parts")
    assert caught.value.code is Code.UNSUPPORTED_FILTER


def test_a_vector_outside_the_nested_root_cannot_ask_its_parts() -> None:
    assert undecided(PART, NESTED, vector_path="v")
    assert not undecided(ROOT, NESTED, vector_path="v")


# ------------------------------------------------------------------ definitions of any age


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"mappings": None},
        {"mappings": []},
        {"mappings": {"fields": []}},
        {"mappings": {"fields": {"p": None}}},
        {"mappings": {"fields": {"p": "token"}}},
        {"mappings": {"fields": {"p": [None]}}},
        {"mappings": {"fields": {"p": []}}},
        {"mappings": {"fields": {"p": {}}}},
        {"mappings": {"fields": {"p": {"type": 5}}}},
        {"mappings": {"fields": {"p": {"type": "fromTheFuture"}}}},
        {"mappings": {"fields": {"p": {"type": "token", "fold": True}}}},
        {"mappings": {"fields": {"p": {"type": "token", "normalizer": "upper"}}}},
        {"mappings": {"fields": {"p": [{"type": "token"}, {"type": "token", "normalizer": "lowercase"}]}}},
        {"mappings": {"dynamic": "yes"}},
        {"mappings": {"dynamic": 1}},
        {"mappings": {"dynamic": {"typeSet": "s"}}},
        {"mappings": {"dynamic": {"typeSet": "s"}}, "typeSets": "s"},
        {"mappings": {"dynamic": {"typeSet": "s"}}, "typeSets": [None, {"name": "s", "types": "token"}]},
        {"mappings": {"dynamic": {"typeSet": "s", "more": 1}}, "typeSets": [{"name": "s", "types": []}]},
        {"mappings": {"dynamic": True, "only": ["q"]}},
        {"fields": [{"type": "token", "path": "p"}]},
    ],
    ids=str,
)
def test_what_cannot_be_read_cannot_be_decided(definition: Any) -> None:
    for condition in (Filter.where("p", "x"), Filter.where_not("p", "x"), ~Filter.where("p", "x")):
        assert undecided(condition, listed("search", definition))
    assert undecided(Filter.where("p.q", "x"), listed("search", definition))


@pytest.mark.parametrize(
    "definition",
    [
        {},
        {"fields": None},
        {"fields": {"p": "filter"}},
        {"fields": [None, "p", {}, {"path": "p"}]},
        {"fields": [{"type": "filter", "path": "p", "normalizer": "lowercase"}]},
        {"fields": [{"type": "autoEmbed", "path": "p"}]},
        {"fields": [{"type": "filter", "path": "p"}], "nestedRoot": {"path": "p"}},
    ],
    ids=str,
)
def test_a_vector_definition_that_cannot_be_read_decides_nothing(definition: Any) -> None:
    assert undecided(Filter.where("p", "x"), listed("vectorSearch", definition), vector_path="v")


def test_constant_filters_need_no_index() -> None:
    assert not undecided(Filter.where_in("p", []), search())
    assert not undecided(~Filter.where_in("p", []), vectors(), vector_path="v")


def test_every_problem_is_told_once_and_by_path() -> None:
    condition = (field("p") == "x") | (field("p") == "y") | (field("q") == 1)
    assert [one.path for one in undecided(condition, search())] == ["p", "q"]


def test_presence_needs_no_line_of_its_own_beside_a_type() -> None:
    (problem,) = undecided(
        Filter.where_missing("p") | Filter.where_not("p", 5) | Filter.where("p", None), search()
    )
    assert json.loads(problem.line) == {"p": {"type": "number"}}


def test_a_filter_of_many_conditions_is_divided_at_the_room_that_a_query_has() -> None:
    index = search({"n": {"type": "number"}})
    many = [~Filter.where("n", number) for number in range(2000)]
    division = divide(all_of(*many), index)
    assert division.decided == all_of(*many[:512])
    assert [part for part, _ in division.left] == many[512:]
    assert undecided(any_of(*(~one for one in many)), index)
    assert not undecided(any_of(*(~one for one in many[:512])), index)
    assert not undecided(Filter.where_in("n", range(5000)), index)
    assert not undecided(all_of(*many), vectors("n"), vector_path="v")


def test_a_filter_is_divided_by_condition_and_keeps_its_order() -> None:
    index = search({"p": {"type": "token"}, "n": {"type": "number", "representation": "int64"}})
    good, bad, loose = (
        Filter.where("p", "x"),
        Filter.where("q", 1) | Filter.where("p", "y"),
        Filter.where("n", 5),
    )
    division = divide(all_of(loose, bad, good), index)
    assert division.decided == all_of(loose, good)
    assert [(part, problem.path) for part, problem in division.left] == [(bad, "q")]
    assert [problem.path for problem in division.loose] == ["n"]


# ------------------------------------------------------------------ words


@pytest.mark.parametrize(
    ("mappings", "found"),
    [
        ({"dynamic": True}, True),
        (
            {"fields": {"a": {"type": "document", "fields": {"b": [{"type": "token"}, {"type": "string"}]}}}},
            True,
        ),
        ({"dynamic": {"typeSet": "words"}}, True),
        ({"dynamic": {"typeSet": "tokens"}}, False),
        ({"dynamic": False}, False),
        ({"fields": {"a": {"type": "document", "fields": {"b": {"type": "token"}}}}}, False),
        ({"fields": {"a": {"type": "embeddedDocuments", "fields": {"b": {"type": "string"}}}}}, False),
        ({"dynamic": True, "fields": {"a": {"type": "string"}}}, False),
        ({"dynamic": {"typeSet": "nowhere"}}, True),
        ({"fields": {"a": {"type": "fromTheFuture"}}}, True),
        ({"dynamic": "mostly"}, True),
        (None, True),
    ],
    ids=str,
)
def test_a_path_without_words_is_told_where_that_is_certain(mappings: Any, found: bool) -> None:
    sets = [
        {"name": "words", "types": [{"type": "string"}]},
        {"name": "tokens", "types": [{"type": "token"}]},
    ]
    assert (unmapped(["a.b"], {"mappings": mappings, "typeSets": sets}) == []) is found


# ------------------------------------------------------------------ the table


def test_the_table_of_types_is_that_of_the_grammar() -> None:
    assert FIELD_TYPES.keys() == TYPES.keys()
    assert {name for name, one in FIELD_TYPES.items() if one.deprecated} == HIDDEN_TYPES | {"knnVector"}
    assert {name: one.options for name, one in FIELD_TYPES.items()} == {
        name: grammar.names - {"type"} for name, grammar in TYPES.items()
    }
