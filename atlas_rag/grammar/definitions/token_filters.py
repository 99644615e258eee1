"""Token filters: what happens to tokens, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.grams import GRAMS, GRAMS_ORDERED, ordered
from atlas_rag.grammar.definitions.tokenizers import PATTERN, SOUND_PATTERN
from atlas_rag.grammar.kit import (
    NOT_NEGATIVE,
    POSITIVE,
    Boolean,
    Document,
    Enum,
    Int32,
    ListOf,
    Rule,
    Tagged,
    Text,
    field,
    required,
    within,
)
from atlas_rag.grammar.problem import At, Found, problem

DEFAULT_MAX_LENGTH: Final = 255

STEMMERS: Final = (
    "arabic", "armenian", "basque", "catalan", "danish", "dutch", "english", "estonian", "finnish", "french",
    "german", "german2", "hungarian", "irish", "italian", "lithuanian", "norwegian", "porter", "portuguese",
    "romanian", "russian", "spanish", "swedish", "turkish",
)  # fmt: skip
"""Snowball stemmers that the engine has."""

PLAIN_FILTERS: Final = (
    "englishMinimalStemming", "englishPossessive", "flattenGraph", "icuFolding", "kStemming", "keywordRepeat",
    "lowercase", "porterStemming", "removeDuplicates", "reverse", "spanishPluralStemming", "stempel", "trim",
)  # fmt: skip
"""Filters without options."""

DELIMITER_OPTIONS: Final = (
    "generateWordParts", "generateNumberParts", "concatenateWords", "concatenateNumbers", "concatenateAll",
    "preserveOriginal", "splitOnCaseChange", "splitOnNumerics", "stemEnglishPossessive", "ignoreKeywords",
)  # fmt: skip

_KEEP: Final = Enum("include", "omit")
_SHINGLE: Final = Int32(within(2, 2147483647))


def _grams() -> Document:
    return Document(*GRAMS, field("termNotInBounds", _KEEP), GRAMS_ORDERED)


def _original_tokens() -> Document:
    return Document(field("originalTokens", _KEEP))


def _long_tokens(definition: Mapping[str, Any], at: At, found: Found) -> None:
    if definition.get("max") is None and (definition.get("min") or 0) > DEFAULT_MAX_LENGTH:
        text = f"max must be explicitly defined when min is greater than {DEFAULT_MAX_LENGTH}"
        found.append(problem(at, text, "bounds"))


TOKEN_FILTERS: Final = {
    **{name: Document() for name in PLAIN_FILTERS},
    "asciiFolding": _original_tokens(),
    "daitchMokotoffSoundex": _original_tokens(),
    "edgeGram": _grams(),
    "icuNormalizer": Document(field("normalizationForm", Enum("nfc", "nfd", "nfkc", "nfkd"))),
    "length": Document(
        field("min", Int32(NOT_NEGATIVE)),
        field("max", Int32(NOT_NEGATIVE)),
        ordered("min", "max"),
        Rule(_long_tokens, "min", "max"),
    ),
    "limitTokenCount": Document(required("maxTokenCount", Int32(POSITIVE))),
    "nGram": _grams(),
    "regex": Document(
        PATTERN,
        required("replacement", Text()),
        required("matches", Enum("all", "first")),
        SOUND_PATTERN,
    ),
    "shingle": Document(
        required("minShingleSize", _SHINGLE),
        required("maxShingleSize", _SHINGLE),
        ordered("minShingleSize", "maxShingleSize"),
    ),
    "snowballStemming": Document(required("stemmerName", Enum(*STEMMERS))),
    "stopword": Document(required("tokens", ListOf(Text(), empty=False)), field("ignoreCase", Boolean())),
    "wordDelimiterGraph": Document(
        field(
            "protectedWords",
            Document(required("words", ListOf(Text(blank=False))), field("ignoreCase", Boolean())),
        ),
        field("delimiterOptions", Document(*(field(name, Boolean()) for name in DELIMITER_OPTIONS))),
    ),
}

TOKEN_FILTER: Final = Tagged("type", TOKEN_FILTERS)
