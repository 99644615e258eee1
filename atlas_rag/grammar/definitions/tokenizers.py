"""Tokenizers: how text is cut into tokens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.definitions.grams import GRAMS, GRAMS_ORDERED
from atlas_rag.grammar.java_pattern import PatternError, capturing_groups
from atlas_rag.grammar.kit import NOT_NEGATIVE, Document, Int32, Rule, Tagged, Text, field, required, within
from atlas_rag.grammar.problem import At, Found, problem

MAX_TOKEN_LENGTH: Final = 1048576

PATTERN: Final = required("pattern", Text())


def _sound_pattern(definition: Mapping[str, Any], at: At, found: Found) -> None:
    """The pattern must be a regular expression that Java compiles."""
    try:
        groups = capturing_groups(definition["pattern"])
    except PatternError as error:
        found.append(problem(at, str(error), "pattern"))
        return
    if definition.get("group", 0) > groups:
        text = f"invalid group specified: pattern only has: {groups} capturing groups"
        found.append(problem(at, text, "pattern"))


SOUND_PATTERN: Final = Rule(_sound_pattern, "pattern", "group")


def _by_length() -> Document:
    return Document(field("maxTokenLength", Int32(within(1, MAX_TOKEN_LENGTH))))


TOKENIZER: Final = Tagged(
    "type",
    {
        "edgeGram": Document(*GRAMS, GRAMS_ORDERED),
        "keyword": Document(),
        "nGram": Document(*GRAMS, GRAMS_ORDERED),
        "regexCaptureGroup": Document(PATTERN, required("group", Int32(NOT_NEGATIVE)), SOUND_PATTERN),
        "regexSplit": Document(PATTERN, SOUND_PATTERN),
        "standard": _by_length(),
        "uaxUrlEmail": _by_length(),
        "whitespace": _by_length(),
    },
)
