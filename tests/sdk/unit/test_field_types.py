"""The table of field types says what the grammar, the definitions, the checker and the engine say."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import LocalClient
from atlas_rag.check import check
from atlas_rag.grammar.create import SORTABLE
from atlas_rag.grammar.definitions.mappings import HIDDEN_TYPES, TYPES
from atlas_rag.grammar.field_types import DYNAMIC, FIELD_TYPES
from atlas_rag.indexes import SearchDefinition
from atlas_rag.indexes.definitions.part import RawPart

OFFERED = sorted(name for name, one in FIELD_TYPES.items() if not one.deprecated)
NEEDS: dict[str, dict[str, Any]] = {
    "vector": {"numDimensions": 2, "similarity": "cosine"},
    "autoEmbedVector": {"model": "voyage-4", "modality": "text", "sourceField": "b"},
}
"""What a definition of a type cannot do without."""


def definition(name: str, **mappings: Any) -> dict[str, Any]:
    field = {"type": name, **NEEDS.get(name, {})}
    return {"mappings": {"dynamic": False, "fields": {"a": field}}, **mappings}


def test_the_parser_knows_the_types_of_the_table_and_no_others() -> None:
    assert set(TYPES) == set(FIELD_TYPES)


def test_what_the_parser_does_not_offer_is_deprecated_in_the_table() -> None:
    assert set(HIDDEN_TYPES) <= {name for name, one in FIELD_TYPES.items() if one.deprecated}


@pytest.mark.parametrize("name", OFFERED)
def test_every_type_that_is_offered_has_a_class_of_its_own(name: str) -> None:
    mappings = SearchDefinition.from_definition(definition(name)).mappings
    assert mappings.fields is not None
    assert not isinstance(mappings.fields["a"], RawPart)


@pytest.mark.parametrize("name", sorted(set(FIELD_TYPES) - set(OFFERED)))
def test_a_deprecated_type_is_passed_through_as_it_is(name: str) -> None:
    extra = {"dimensions": 2, "similarity": "cosine"} if name == "knnVector" else {}
    document = {"mappings": {"dynamic": False, "fields": {"a": {"type": name, **extra}}}}
    assert SearchDefinition.from_definition(document).to_definition() == document


@pytest.mark.parametrize("name", OFFERED)
def test_an_index_sorts_by_the_types_that_the_table_calls_sortable(name: str) -> None:
    refused = [one for one in _created(definition(name, sort={"a": 1})) if "not sortable" in one]
    assert bool(refused) == (name not in SORTABLE)


def _created(document: dict[str, Any]) -> list[str]:
    from atlas_rag.grammar import create_problems

    return [problem.message for problem in create_problems(document)]


@pytest.mark.parametrize("name", OFFERED)
def test_the_checker_sorts_by_the_types_that_the_table_calls_sortable(name: str) -> None:
    stage = {"$search": {"index": "t", "exists": {"path": "a"}, "sort": {"a": 1}}}
    report = check([stage], index={"name": "t", "type": "search", "definition": definition(name)})
    found = [one for one in report.findings if one.rule == "sort"]
    assert bool(found) == (not FIELD_TYPES[name].sortable)


def test_the_engine_indexes_every_type_of_the_table_that_dynamic_mappings_give() -> None:
    from atlas_rag.inprocess.search.search_index.mapping import _DYNAMIC_TYPES

    assert set(_DYNAMIC_TYPES) == set(DYNAMIC)


@pytest.mark.parametrize("name", OFFERED)
def test_the_engine_builds_an_index_of_every_type_that_is_offered(name: str) -> None:
    if name == "autoEmbedVector":
        pytest.skip("needs a model, which the engine asks for")
    collection = LocalClient()["tests"]["types"]
    collection.insert_one({"a": "word"})
    collection.create_search_index({"name": "t", "definition": definition(name)})
    assert next(iter(collection.list_search_indexes("t")))["queryable"]
