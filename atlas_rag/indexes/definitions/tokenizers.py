"""Tokenizers: how text is cut into tokens.

Source: MongoDB documentation, custom analyzers; bounds and defaults were measured on the engine.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from atlas_rag.indexes.definitions.part import Integer, Part, RawPart, Text, kind_by_type

Grams: TypeAlias = Annotated[Integer, Field(ge=0)]
TokenLength: TypeAlias = Annotated[Integer, Field(ge=1, le=1_048_576)]
"""Longer tokens are cut; default 255."""


class EdgeGramTokenizer(Part):
    """Beginnings of the text.

    Args:
        min_gram, max_gram: characters, 0 ≤ min_gram ≤ max_gram.
    """

    type: Literal["edgeGram"] = "edgeGram"
    min_gram: Grams
    max_gram: Grams


class KeywordTokenizer(Part):
    """The whole text as one token."""

    type: Literal["keyword"] = "keyword"


class NGramTokenizer(Part):
    """Every run of characters of these lengths.

    Args:
        min_gram, max_gram: characters, 0 ≤ min_gram ≤ max_gram.
    """

    type: Literal["nGram"] = "nGram"
    min_gram: Grams
    max_gram: Grams


class RegexCaptureGroupTokenizer(Part):
    """What a group of a pattern holds, match by match.

    Args:
        pattern: a regular expression of Java.
        group: its number, 0 the whole match.
    """

    type: Literal["regexCaptureGroup"] = "regexCaptureGroup"
    pattern: Text
    group: Annotated[Integer, Field(ge=0)]


class RegexSplitTokenizer(Part):
    """What lies between the matches of a pattern.

    Args:
        pattern: a regular expression of Java.
    """

    type: Literal["regexSplit"] = "regexSplit"
    pattern: Text


class StandardTokenizer(Part):
    """Words by the rules of Unicode (UAX 29).

    Args:
        max_token_length: 1…1 048 576; default 255.
    """

    type: Literal["standard"] = "standard"
    max_token_length: TokenLength | None = None


class UaxUrlEmailTokenizer(Part):
    """Words by the rules of Unicode, URLs and mail addresses whole.

    Args:
        max_token_length: 1…1 048 576; default 255.
    """

    type: Literal["uaxUrlEmail"] = "uaxUrlEmail"
    max_token_length: TokenLength | None = None


class WhitespaceTokenizer(Part):
    """What lies between white space.

    Args:
        max_token_length: 1…1 048 576; default 255.
    """

    type: Literal["whitespace"] = "whitespace"
    max_token_length: TokenLength | None = None


Tokenizer: TypeAlias = Annotated[
    Annotated[EdgeGramTokenizer, Tag("edgeGram")]
    | Annotated[KeywordTokenizer, Tag("keyword")]
    | Annotated[NGramTokenizer, Tag("nGram")]
    | Annotated[RegexCaptureGroupTokenizer, Tag("regexCaptureGroup")]
    | Annotated[RegexSplitTokenizer, Tag("regexSplit")]
    | Annotated[StandardTokenizer, Tag("standard")]
    | Annotated[UaxUrlEmailTokenizer, Tag("uaxUrlEmail")]
    | Annotated[WhitespaceTokenizer, Tag("whitespace")]
    | Annotated[RawPart, Tag("raw")],
    Discriminator(kind_by_type(frozenset())),
]
