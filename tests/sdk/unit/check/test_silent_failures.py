"""What runs and misleads, and what was suggested wrongly: one case a line."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.check import check

DYNAMIC = {"mappings": {"dynamic": True}}
VECTOR = {"index": "i", "path": "v", "queryVector": [1.0], "limit": 2, "numCandidates": 3}


def rules(body: dict[str, Any], index: dict[str, Any] | None = None) -> list[str]:
    return [one.rule for one in check([{"$search": body}], index=index or DYNAMIC).findings]


@pytest.mark.parametrize(
    ("operator", "wanted"),
    [
        ({"text": {"path": "*", "query": "x"}}, ["path-pattern"]),
        ({"phrase": {"path": "t.*", "query": "x"}}, ["path-pattern"]),
        ({"text": {"path": ["*", "a"], "query": "x"}}, ["path-pattern"]),
        ({"text": {"path": "$t", "query": "x"}}, ["path-dollar"]),
        ({"exists": {"path": "$t"}}, ["path-dollar"]),
        ({"range": {"path": "n.*", "gt": 1}}, ["path-pattern"]),
        ({"compound": {"must": {"text": {"path": "*", "query": "x"}}}}, ["path-pattern"]),
        ({"text": {"path": {"wildcard": "*"}, "query": "x"}}, []),
        ({"regex": {"path": "t", "query": "^fox$", "allowAnalyzedField": True}}, ["anchors"]),
        ({"regex": {"path": "t", "query": r"5\$", "allowAnalyzedField": True}}, []),
        ({"wildcard": {"path": "t", "query": "quick bro*", "allowAnalyzedField": True}}, ["spaces"]),
        ({"wildcard": {"path": "t", "query": "bro*", "allowAnalyzedField": True}}, []),
        ({"queryString": {"defaultPath": "t", "query": "a and b"}}, ["lower-case-operator"]),
        ({"queryString": {"defaultPath": "t", "query": "a AND b"}}, []),
        ({"queryString": {"defaultPath": "t", "query": "and"}}, []),
    ],
)
def test_a_search_that_does_not_mean_what_it_says_is_warned_of(
    operator: dict[str, Any], wanted: list[str]
) -> None:
    assert rules(operator) == wanted


def test_a_field_that_is_named_so_is_no_mistake() -> None:
    index = {"mappings": {"fields": {"*": {"type": "string"}}}}
    assert rules({"text": {"path": "*", "query": "x"}}, index) == []


@pytest.mark.parametrize("name", ["$regex", "$like", "$elemMatch"])
def test_far_names_are_not_suggested_in_filters(name: str) -> None:
    report = check([{"$vectorSearch": {**VECTOR, "filter": {"a": {name: 1}}}}])
    assert not report.valid
    assert [one.suggestion for one in report.findings if one.suggestion] == []


def test_near_names_are_suggested_in_filters() -> None:
    report = check([{"$vectorSearch": {**VECTOR, "filter": {"a": {"$gtee": 1}}}}])
    assert any("$gte" in (one.suggestion or "") for one in report.findings)


def test_an_operator_of_search_is_no_filter() -> None:
    report = check([{"$vectorSearch": {**VECTOR, "filter": {"range": {"path": "n", "gte": 1}}}}])
    (found,) = (one for one in report.findings if one.rule == "search-operator")
    assert "$eq" in (found.suggestion or "")


@pytest.mark.parametrize(
    ("limit", "message"),
    [
        ("2", 'Expected limit to be a number, got: limit: "2"'),
        (0, "Expected limit to be positive"),
        (0.5, "Expected limit to be positive"),
    ],
)
def test_a_wrong_limit_is_told_once_in_the_servers_words(limit: Any, message: str) -> None:
    report = check([{"$vectorSearch": {**VECTOR, "limit": limit}}])
    assert [one.message for one in report.findings] == [message]


def test_a_missing_limit_is_still_told() -> None:
    body = {name: value for name, value in VECTOR.items() if name != "limit"}
    assert '"limit" is required' in [one.message for one in check([{"$vectorSearch": body}]).findings]


EMBEDDED = {"type": "autoEmbed", "path": "t", "model": "voyage-4", "modality": "text"}


def test_todays_embedding_models_are_known() -> None:
    assert check({"fields": [EMBEDDED]}).valid
    assert not check({"fields": [{**EMBEDDED, "model": "mine"}]}).valid
    assert check({"fields": [{**EMBEDDED, "model": "mine"}]}, models=["mine"]).valid
    assert not check({"fields": [EMBEDDED]}, models=[]).valid


def test_fields_without_a_type_are_a_search_index_to_the_server() -> None:
    entry = {"name": "v", "definition": {"fields": [EMBEDDED]}}
    (found,) = check(entry).findings
    assert found.suggestion == 'add type: "vectorSearch"'
    assert check({**entry, "type": "vectorSearch"}).valid
