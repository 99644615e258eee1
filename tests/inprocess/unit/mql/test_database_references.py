"""A database reference in a filter: a value as a whole, and a place for paths."""

from __future__ import annotations

from typing import Any

import pytest
from bson import DBRef

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter

BOOK = {"author": DBRef("people", 7), "critics": [DBRef("people", 8), DBRef("people", 9, "press")]}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"author": DBRef("people", 7)}, True),
        ({"author": {"$ref": "people", "$id": 7}}, True),
        ({"author": {"$ref": "people", "$id": 8}}, False),
        ({"author.$id": 7}, True),
        ({"author.$ref": "people"}, True),
        ({"author.$db": {"$exists": True}}, False),
        ({"critics.$id": {"$gt": 8}}, True),
        ({"critics.1.$db": "press"}, True),
        ({"author": {"$in": [DBRef("people", 7)]}}, True),
    ],
)
def test_references_match_as_values_and_by_their_parts(query: dict[str, Any], expected: bool) -> None:
    assert compile_filter(query)(BOOK) is expected


def test_a_part_alone_is_no_reference_but_an_unknown_operator() -> None:
    with pytest.raises(CommandError, match=r"unknown operator: \$id"):
        compile_filter({"author": {"$id": 7}})
