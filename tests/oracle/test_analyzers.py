"""Our token streams against those recorded from the real engine and from Lucene itself."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from atlas_rag.engines.local.analysis import UNSUPPORTED, Analyzer, registry, stock_names
from atlas_rag.engines.local.refusals import EngineRefusal

DATA = Path(__file__).parents[1] / "data" / "oracle"


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


@pytest.mark.parametrize("name", sorted(STOCK.intersection(stock_names())))
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
