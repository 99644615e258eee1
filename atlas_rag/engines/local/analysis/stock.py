"""The stock analyzers, each as the chain that its documentation describes."""

from __future__ import annotations

from collections.abc import Callable

from .analyzer import Analyzer
from .filters.case import lower
from .filters.english import possessive
from .filters.stop import stop, stop_words
from .stemmers import porter
from .token import TermFilter
from .tokenizers.simple import KeywordTokenizer, letter_tokenizer, whitespace_tokenizer
from .tokenizers.standard import StandardTokenizer

PREFIX = "lucene."
LOWER = TermFilter(lower)


def _standard(name: str) -> Analyzer:
    return Analyzer(name, StandardTokenizer(), [LOWER])


def _simple(name: str) -> Analyzer:
    return Analyzer(name, letter_tokenizer(), [LOWER])


def _whitespace(name: str) -> Analyzer:
    return Analyzer(name, whitespace_tokenizer())


def _keyword(name: str) -> Analyzer:
    return Analyzer(name, KeywordTokenizer())


def _stop(name: str) -> Analyzer:
    return Analyzer(name, letter_tokenizer(), [LOWER, stop(stop_words("english"))], normalizing=[LOWER])


def _english(name: str) -> Analyzer:
    filters = [possessive, LOWER, stop(stop_words("english")), TermFilter(porter.stem, stems=True)]
    return Analyzer(name, StandardTokenizer(), filters, normalizing=[LOWER])


STOCK: dict[str, Callable[[str], Analyzer]] = {
    "lucene.standard": _standard,
    "lucene.simple": _simple,
    "lucene.whitespace": _whitespace,
    "lucene.keyword": _keyword,
    "lucene.stop": _stop,
    "lucene.english": _english,
}
