"""Stems and chains against those that Lucene gave for made-up words and texts.

The words are random letters with the endings that each stemmer knows; the chains are random char filters,
tokenizers and token filters over awkward texts.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest

from atlas_rag.inprocess.search.analysis import registry
from atlas_rag.inprocess.search.analysis.stemmers import english_minimal, kstem, porter
from atlas_rag.inprocess.search.analysis.stemmers.light import (
    arabic,
    brazilian,
    french,
    galician,
    german,
    greek,
    indic,
    indonesian,
    latvian,
    romance,
    slavic,
    sorani,
    spanish_plural,
)
from atlas_rag.inprocess.search.analysis.stemmers.snowball import STEMMERS
from tests.support.places import ORACLE

DATA = ORACLE / "lucene"
OTHERS: dict[str, Callable[[str], str]] = {
    "porter": porter.stem,
    "kstem": kstem.stem,
    "english_minimal": english_minimal.stem,
    "light/arabic": arabic.stem,
    "light/persian": arabic.persian_stem,
    "light/hindi": indic.hindi_stem,
    "light/bengali": indic.bengali_stem,
    "light/bulgarian": slavic.bulgarian_stem,
    "light/czech": slavic.czech_stem,
    "light/french": french.stem,
    "light/german": german.stem,
    "light/indonesian": indonesian.stem,
    "light/spanish": romance.spanish_stem,
    "light/italian": romance.italian_stem,
    "light/portuguese": romance.portuguese_stem,
    "light/latvian": latvian.stem,
    "light/sorani": sorani.stem,
    "light/greek": greek.stem,
    "light/brazilian": brazilian.stem,
    "light/galician": galician.stem,
    "light/spanishplural": spanish_plural.stem,
}


def read(name: str) -> Any:
    return json.loads(gzip.decompress((DATA / name).read_bytes()))


STEMS = read("stems.json.gz")


@pytest.mark.parametrize("name", sorted(STEMS))
def test_a_stemmer_gives_the_recorded_stems(name: str) -> None:
    family, _, language = name.partition("/")
    stem = STEMMERS[language] if family == "snowball" else OTHERS[name]
    assert {word: stem(word) for word, _ in STEMS[name]} == dict(STEMS[name])


def test_every_stemmer_of_the_snowball_filter_is_recorded() -> None:
    # german2 is the German stemmer under another name
    recorded = {name.removeprefix("snowball/") for name in STEMS if name.startswith("snowball/")}
    assert recorded == STEMMERS.keys() - {"german2"}
    assert STEMMERS["german2"] is STEMMERS["german"]


def test_random_chains_give_the_recorded_tokens() -> None:
    cases = read("chains.json.gz")
    assert len(cases) > 1500
    for case in cases:
        analyzer = registry([case["analyzer"]]).get("x")
        tokens = [list(token[:5]) for token in analyzer.tokens(case["text"])]
        assert tokens == case["tokens"], case
