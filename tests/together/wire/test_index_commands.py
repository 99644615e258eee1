"""Index management sends exactly what the driver specifications publish, to the letter.

Source: the index-management specification of MongoDB's drivers (createSearchIndexes, updateSearchIndex,
dropSearchIndex, $listSearchIndexes; read and write concerns are not sent).
"""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.indexes import apply_plan, plan_indexes
from tests.support.scripted import Document
from tests.together.wire.faces import KINDS
from tests.together.wire.index_life import FILTERED, NAMESPACE, TEXT, VECTOR, entry, playing, pump

CONCERNS = "&readConcernLevel=majority&w=majority&readPreference=secondaryPreferred"

pytestmark = pytest.mark.parametrize("kind", KINDS)


def carry_out(kind: str, uri: str, wanted: list[Any], **options: Any) -> None:
    plan = pump(kind, uri, plan_indexes(NAMESPACE, wanted, **options))
    applied = pump(kind, uri, apply_plan(plan, allow=[change.name for change in plan.changes]))
    assert applied.complete


def changing(commands: list[Document]) -> list[Document]:
    drivers_own = ("lsid", "txnNumber", "$clusterTime")
    return [
        {key: value for key, value in command.items() if key not in drivers_own}
        for command in commands
        if "aggregate" not in command
    ]


def test_creating(kind: str) -> None:
    with playing([]) as server:
        carry_out(kind, server.uri + CONCERNS, [VECTOR, TEXT])
    assert changing(server.commands) == [
        {
            "createSearchIndexes": "docs",
            "indexes": [{"name": "vectors", "type": "vectorSearch", "definition": VECTOR.definition}],
            "$db": "app",
        },
        {
            "createSearchIndexes": "docs",
            "indexes": [{"name": "texts", "type": "search", "definition": {"mappings": {"dynamic": True}}}],
            "$db": "app",
        },
    ]


def test_updating_and_dropping(kind: str) -> None:
    with playing([entry(VECTOR), entry(TEXT)]) as server:
        carry_out(kind, server.uri + CONCERNS, [FILTERED], drop=["texts"])
    assert changing(server.commands) == [
        {
            "updateSearchIndex": "docs",
            "name": "vectors",
            "definition": FILTERED.definition,
            "$db": "app",
        },
        {"dropSearchIndex": "docs", "name": "texts", "$db": "app"},
    ]


def test_listing_is_a_read_of_the_primary_without_concerns(kind: str) -> None:
    with playing([]) as server:
        pump(kind, server.uri + CONCERNS, plan_indexes(NAMESPACE, [VECTOR]))
    (command,) = server.commands
    assert command["aggregate"] == "docs"
    assert command["pipeline"] == [{"$listSearchIndexes": {}}]
    assert "readConcern" not in command
    assert "writeConcern" not in command
    assert command.get("$readPreference", {"mode": "primaryPreferred"})["mode"].startswith("primary")
