"""Every definition that the real engine accepted can be compared, and means the same in any order."""

from __future__ import annotations

from typing import Any

import pytest
from bson import json_util

from atlas_rag.capability import SearchIndex
from atlas_rag.indexes import WantedIndex, differences, named_by_content, unmet_needs
from atlas_rag.indexes.changes.compare import legacy_vectors
from atlas_rag.indexes.changes.limits import check_limits, tier
from atlas_rag.indexes.documents import judge_documents
from scripts.oracle.parse import CASES, read_cases

TYPES = {"searchIndex": "search", "vectorIndex": "vectorSearch"}
DOCUMENT = {"_id": 1, "title": ["a", 1], "a": {"b": [{"v": [1.0, 2.0]}, 3]}, "berth": None}


@pytest.fixture(scope="module")
def accepted() -> list[WantedIndex]:
    """As sent: without the nulls that the engine reads as absent."""
    cases = [case for case in read_cases(CASES) if case["valid"] and case["what"] in TYPES]
    assert len(cases) > 600
    return [WantedIndex(case["id"], TYPES[case["what"]], plain(case["input"])) for case in cases]


def plain(value: Any) -> Any:
    return json_util.loads(json_util.dumps(without_null(value)))


def without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_null(one) for key, one in value.items() if one is not None}
    return [without_null(one) for one in value] if isinstance(value, list) else value


def turned(value: Any) -> Any:
    """The keys of every object in the opposite order."""
    if isinstance(value, dict):
        return {key: turned(value[key]) for key in reversed(value)}
    return [turned(one) for one in value] if isinstance(value, list) else value


def test_the_order_of_keys_means_nothing(accepted: list[WantedIndex]) -> None:
    different = [
        index.name
        for index in accepted
        if differences(index.type, index.definition, turned(dict(index.definition)))
    ]
    assert different == []


def test_another_definition_is_another(accepted: list[WantedIndex]) -> None:
    field = {"type": "filter", "path": "only.here"}
    for index in accepted:
        changed = dict(index.definition)
        if index.type == "vectorSearch":
            changed["fields"] = [*changed["fields"], field]
        else:
            mappings = changed["mappings"]
            changed["mappings"] = {
                **mappings,
                "fields": {**mappings.get("fields", {}), "only_here": {"type": "uuid"}},
            }
        assert len(differences(index.type, index.definition, changed)) == 1, index.name


def test_whatever_reads_definitions_reads_all_of_them(accepted: list[WantedIndex]) -> None:
    names = {named_by_content(WantedIndex("i", one.type, one.definition)).name for one in accepted}
    assert len(names) > 300
    for index in accepted:
        legacy_vectors(index.definition)
        judge_documents([DOCUMENT], [index])
        check_limits(tier("dedicated"), 0, [], [index])
        there = SearchIndex(**index.to_dict(), status="READY", queryable=True)
        assert unmet_needs([there], [index]) == (), index.name
