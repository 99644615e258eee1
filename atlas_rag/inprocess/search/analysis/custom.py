"""From a custom analyzer's definition, known to be well formed, to its chain."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis.analyzer import Analyzer
from atlas_rag.inprocess.search.analysis.charfilters.html_strip import html_strip
from atlas_rag.inprocess.search.analysis.charfilters.icu_normalize import icu_normalize
from atlas_rag.inprocess.search.analysis.charfilters.mapping import mapping
from atlas_rag.inprocess.search.analysis.charfilters.persian import persian
from atlas_rag.inprocess.search.analysis.filters import repeats
from atlas_rag.inprocess.search.analysis.filters.case import lower
from atlas_rag.inprocess.search.analysis.filters.english import possessive
from atlas_rag.inprocess.search.analysis.filters.flatten import flatten_graph
from atlas_rag.inprocess.search.analysis.filters.grams import edge_grams, gram_filter, grams, shingles
from atlas_rag.inprocess.search.analysis.filters.soundex import soundex_filter
from atlas_rag.inprocess.search.analysis.filters.stop import stop, stop_ignoring_case
from atlas_rag.inprocess.search.analysis.filters.word_delimiter import Options, WordDelimiter
from atlas_rag.inprocess.search.analysis.java_regex import compile_java, java_replacement
from atlas_rag.inprocess.search.analysis.offsets import CharFilter, utf16_length
from atlas_rag.inprocess.search.analysis.stemmers import english_minimal, kstem, porter, stempel
from atlas_rag.inprocess.search.analysis.stemmers.light import spanish_plural
from atlas_rag.inprocess.search.analysis.stemmers.snowball import STEMMERS as SNOWBALL
from atlas_rag.inprocess.search.analysis.token import Filter, TermFilter
from atlas_rag.inprocess.search.analysis.tokenizers import Tokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.grams import GramTokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.patterns import CaptureTokenizer, SplitTokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.simple import (
    MAX_TOKEN,
    WHITESPACE,
    KeywordTokenizer,
    whitespace_tokenizer,
)
from atlas_rag.inprocess.search.analysis.tokenizers.standard import StandardTokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.url_email import UrlEmailTokenizer
from atlas_rag.inprocess.search.analysis.unicode_folding import ascii_fold, icu_fold

Definition = Mapping[str, Any]
Part = TypeVar("Part")


def custom_analyzer(definition: Definition) -> Analyzer:
    """The analyzer that a definition in `analyzers` describes.

    Raises:
        EngineRefusal: a regular expression is not valid, or a size is out of range.
    """
    given = _without_nulls(definition)
    return Analyzer(
        str(given["name"]),
        _made(TOKENIZERS, given["tokenizer"]),
        [_made(TOKEN_FILTERS, part) for part in given.get("tokenFilters", ())],
        [_made(CHAR_FILTERS, part) for part in given.get("charFilters", ())],
    )


def _without_nulls(value: Any) -> Any:
    """A null option is an absent one, at any depth."""
    if isinstance(value, Mapping):
        return {key: _without_nulls(inner) for key, inner in value.items() if inner is not None}
    return [_without_nulls(inner) for inner in value] if isinstance(value, list) else value


def _made(makers: Mapping[str, Callable[[Definition], Part]], part: Definition) -> Part:
    return makers[str(part["type"])](part)


def _includes_original(part: Definition, default: str) -> bool:
    return bool(part.get("originalTokens", default) == "include")


def _bounds(part: Definition) -> tuple[int, int]:
    """`minGram` and `maxGram`, as the engine's library checks them."""
    least, most = int(part["minGram"]), int(part["maxGram"])
    if least < 1:
        raise EngineRefusal("minGram must be greater than zero")
    return least, most


def _gram_tokenizer(part: Definition, *, edge: bool) -> Tokenizer:
    return GramTokenizer(*_bounds(part), edge=edge)


def _capture_tokenizer(part: Definition) -> Tokenizer:
    return CaptureTokenizer(compile_java(part["pattern"]), int(part["group"]))


def _max_length(part: Definition) -> int:
    return int(part.get("maxTokenLength", MAX_TOKEN))


def _gram_filter(part: Definition, *, edge: bool) -> Filter:
    least, most = _bounds(part)
    cut = (edge_grams if edge else grams)(least, most)
    return gram_filter(cut, least, most, keep_others=part.get("termNotInBounds", "omit") == "include")


def _ascii_folding(part: Definition) -> Filter:
    return repeats.with_original(ascii_fold) if _includes_original(part, "omit") else TermFilter(ascii_fold)


def _soundex(part: Definition) -> Filter:
    return soundex_filter(keep_original=_includes_original(part, "include"))


def _icu_normalizer(part: Definition) -> Filter:
    form = part.get("normalizationForm", "nfc").upper()
    return TermFilter(partial(unicodedata.normalize, form))


def _length(part: Definition) -> Filter:
    least, most = int(part.get("min", 0)), int(part.get("max", 255))
    return TermFilter(lambda term: term if least <= utf16_length(term) <= most else None)


def _regex(part: Definition) -> Filter:
    pattern, replacement = compile_java(part["pattern"]), java_replacement(part["replacement"])
    count = 0 if part["matches"] == "all" else 1
    return TermFilter(lambda term: pattern.sub(replacement, term, count=count))


def _shingle(part: Definition) -> Filter:
    return shingles(int(part["minShingleSize"]), int(part["maxShingleSize"]))


def _snowball(part: Definition) -> Filter:
    return TermFilter(SNOWBALL[part["stemmerName"]], stems=True)


def _stopword(part: Definition) -> Filter:
    if part.get("ignoreCase", True):
        return stop_ignoring_case(part["tokens"], lower)
    return stop(frozenset(part["tokens"]))


def _word_delimiter(part: Definition) -> Filter:
    given = part.get("delimiterOptions", {})
    options = Options(
        **{re.sub("[A-Z]", lambda m: "_" + m[0].lower(), name): on for name, on in given.items()}
    )
    protection = part.get("protectedWords", {"words": ()})
    fold = lower if protection.get("ignoreCase", True) else str
    protected = frozenset(map(fold, protection["words"]))
    return WordDelimiter(options, lambda term: fold(term) in protected)


CHAR_FILTERS: dict[str, Callable[[Definition], CharFilter]] = {
    "htmlStrip": lambda part: html_strip(part.get("ignoredTags", ())),
    "icuNormalize": lambda part: icu_normalize,
    "mapping": lambda part: mapping(part["mappings"]),
    "persian": lambda part: persian,
}
TOKENIZERS: dict[str, Callable[[Definition], Tokenizer]] = {
    "edgeGram": partial(_gram_tokenizer, edge=True),
    "keyword": lambda part: KeywordTokenizer(),
    "nGram": partial(_gram_tokenizer, edge=False),
    "regexCaptureGroup": _capture_tokenizer,
    "regexSplit": lambda part: SplitTokenizer(compile_java(part["pattern"])),
    "standard": lambda part: StandardTokenizer(_max_length(part)),
    "uaxUrlEmail": lambda part: UrlEmailTokenizer(_max_length(part)),
    "whitespace": lambda part: whitespace_tokenizer(_max_length(part)),
}
TOKEN_FILTERS: dict[str, Callable[[Definition], Filter]] = {
    "asciiFolding": _ascii_folding,
    "daitchMokotoffSoundex": _soundex,
    "edgeGram": partial(_gram_filter, edge=True),
    "englishMinimalStemming": lambda part: TermFilter(english_minimal.stem, stems=True),
    "englishPossessive": lambda part: possessive,
    "flattenGraph": lambda part: flatten_graph,
    "icuFolding": lambda part: TermFilter(icu_fold),
    "icuNormalizer": _icu_normalizer,
    "kStemming": lambda part: TermFilter(kstem.stem, stems=True),
    "keywordRepeat": lambda part: repeats.keyword_repeat,
    "length": _length,
    "limitTokenCount": lambda part: repeats.limit_count(int(part["maxTokenCount"])),
    "lowercase": lambda part: TermFilter(lower),
    "nGram": partial(_gram_filter, edge=False),
    "porterStemming": lambda part: TermFilter(porter.stem, stems=True),
    "regex": _regex,
    "removeDuplicates": lambda part: repeats.remove_duplicates,
    "reverse": lambda part: TermFilter(lambda term: term[::-1]),
    "shingle": _shingle,
    "snowballStemming": _snowball,
    "spanishPluralStemming": lambda part: TermFilter(spanish_plural.stem, stems=True),
    "stempel": lambda part: TermFilter(stempel.stem, stems=True),
    "stopword": _stopword,
    "trim": lambda part: TermFilter(lambda term: term.strip("".join(WHITESPACE))),
    "wordDelimiterGraph": _word_delimiter,
}
