"""Our token streams against those recorded from the real engine and from Lucene itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis import UNSUPPORTED, Analyzer, registry, stock_names
from tests.support.places import ORACLE

DATA = ORACLE


def read(name: str) -> Any:
    return json.loads(gzip.decompress((DATA / name).read_bytes()))


ENGINE = read("engine/analyzers.json.gz")
LUCENE = read("lucene/all_analyzers.json.gz")["analysis"]
STOCK = {f"lucene.{name}" for name in ENGINE["stock"]} | {case["analyzer"] for case in LUCENE}


def recorded(name: str) -> Iterator[tuple[str, list[list[Any]]]]:
    """Every text that was analysed with a stock analyzer, and the tokens."""
    yield from ENGINE["stock"].get(name.removeprefix("lucene."), {}).items()
    for case in LUCENE:
        if case["analyzer"] == name:
            yield case["text"], case["tokens"]


def check(analyzer: Analyzer, text: str, expected: list[list[Any]]) -> None:
    width = len(expected[0]) if expected else 0
    assert [list(token[:width]) for token in analyzer.tokens(text)] == expected
    positions, place = [], -1
    for token in expected:
        place += token[3]
        positions.append(place)
    assert analyzer.terms(text) == ([token[0] for token in expected], positions)


def test_every_recorded_stock_analyzer_is_supported_or_refused_for_a_reason() -> None:
    assert set(stock_names()) | UNSUPPORTED.keys() >= STOCK
    assert not set(stock_names()) & UNSUPPORTED.keys()


@pytest.mark.parametrize("name", sorted(STOCK - UNSUPPORTED.keys()))
def test_a_stock_analyzer_gives_the_recorded_tokens(name: str) -> None:
    analyzer = registry().get(name)
    cases = list(recorded(name))
    assert cases
    for text, expected in cases:
        check(analyzer, text, expected)


@pytest.mark.parametrize("name", sorted(UNSUPPORTED))
def test_an_unsupported_analyzer_is_refused_by_name(name: str) -> None:
    with pytest.raises(EngineRefusal, match=name):
        registry().get(name)


@pytest.mark.parametrize("case", ENGINE["custom"], ids=lambda case: case["analyzer"]["name"])
def test_a_custom_chain_gives_the_recorded_tokens(case: dict[str, Any]) -> None:
    definition = case["analyzer"]
    analyzer = registry([definition]).get(definition["name"])
    for text, expected in case["tokens"].items():
        check(analyzer, text, expected)
