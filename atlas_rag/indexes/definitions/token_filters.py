"""Token filters with options, and the choice of all.

Source: MongoDB documentation, custom analyzers; bounds and defaults were measured on the engine.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Field, Tag

from atlas_rag.indexes.definitions.part import Flag, Integer, Part, RawPart, Text, kind_by_type
from atlas_rag.indexes.definitions.plain_token_filters import (
    EnglishMinimalStemming,
    EnglishPossessive,
    FlattenGraph,
    IcuFolding,
    KeywordRepeat,
    KStemming,
    Lowercase,
    PorterStemming,
    RemoveDuplicates,
    Reverse,
    SpanishPluralStemming,
    Stempel,
    Trim,
)

Keep: TypeAlias = Literal["include", "omit"]
Size: TypeAlias = Annotated[Integer, Field(ge=0)]


class AsciiFolding(Part):
    """Turns letters with marks into plain ASCII ones.

    Args:
        original_tokens: `include` keeps the token as it was beside it; default `omit`.
    """

    type: Literal["asciiFolding"] = "asciiFolding"
    original_tokens: Keep | None = None


class DaitchMokotoffSoundex(Part):
    """Codes words by their sound, which brings spellings of names together.

    Args:
        original_tokens: `include` (default) keeps the token itself beside its codes; or `omit`.
    """

    type: Literal["daitchMokotoffSoundex"] = "daitchMokotoffSoundex"
    original_tokens: Keep | None = None


class EdgeGramFilter(Part):
    """Beginnings of each token.

    Args:
        min_gram, max_gram: characters, 0 ≤ min_gram ≤ max_gram.
        term_not_in_bounds: what becomes of tokens that are too short or too long; default `omit`.
    """

    type: Literal["edgeGram"] = "edgeGram"
    min_gram: Size
    max_gram: Size
    term_not_in_bounds: Keep | None = None


class IcuNormalizer(Part):
    """Normalizes by Unicode.

    Args:
        normalization_form: `nfc` (default), `nfd`, `nfkc` or `nfkd`.
    """

    type: Literal["icuNormalizer"] = "icuNormalizer"
    normalization_form: Literal["nfc", "nfd", "nfkc", "nfkd"] | None = None


class Length(Part):
    """Drops tokens that are too short or too long.

    Args:
        min, max: characters, 0 ≤ min ≤ max; default 0 and 255.
    """

    type: Literal["length"] = "length"
    min: Size | None = None
    max: Size | None = None


class LimitTokenCount(Part):
    """Drops what comes after the first tokens.

    Args:
        max_token_count: ≥ 1.
    """

    type: Literal["limitTokenCount"] = "limitTokenCount"
    max_token_count: Annotated[Integer, Field(ge=1)]


class NGramFilter(Part):
    """Every run of characters of these lengths in each token.

    Args:
        min_gram, max_gram: characters, 0 ≤ min_gram ≤ max_gram.
        term_not_in_bounds: what becomes of tokens that are too short or too long; default `omit`.
    """

    type: Literal["nGram"] = "nGram"
    min_gram: Size
    max_gram: Size
    term_not_in_bounds: Keep | None = None


class RegexFilter(Part):
    """Replaces what a pattern matches in each token.

    Args:
        pattern: a regular expression of Java.
        replacement: `$1` is its first group.
        matches: `all` or `first`.
    """

    type: Literal["regex"] = "regex"
    pattern: Text
    replacement: Text
    matches: Literal["all", "first"]


class Shingle(Part):
    """Runs of neighbouring tokens as one token; single tokens are dropped.

    Args:
        min_shingle_size, max_shingle_size: tokens, 2 ≤ min ≤ max.
    """

    type: Literal["shingle"] = "shingle"
    min_shingle_size: Annotated[Integer, Field(ge=2)]
    max_shingle_size: Annotated[Integer, Field(ge=2)]


class SnowballStemming(Part):
    """Stems by a Snowball algorithm; wants lower case.

    Args:
        stemmer_name: a language, or `german2` or `porter`.
    """

    type: Literal["snowballStemming"] = "snowballStemming"
    stemmer_name: Text


class Stopword(Part):
    """Drops these tokens.

    Args:
        tokens: at least one.
        ignore_case: default True.
    """

    type: Literal["stopword"] = "stopword"
    tokens: Annotated[tuple[Text, ...], Field(min_length=1)]
    ignore_case: Flag | None = None


class ProtectedWords(Part):
    """Tokens that `WordDelimiterGraph` leaves whole.

    Args:
        words: the tokens.
        ignore_case: default True.
    """

    words: tuple[Text, ...]
    ignore_case: Flag | None = None


class DelimiterOptions(Part):
    """What `WordDelimiterGraph` cuts and puts together.

    Args:
        generate_word_parts, generate_number_parts: the parts themselves; default True.
        concatenate_words, concatenate_numbers, concatenate_all: neighbouring parts as one; default False.
        preserve_original: the token itself as well; default False.
        split_on_case_change, split_on_numerics: where else to cut; default True.
        stem_english_possessive: drop a trailing `'s`; default True.
        ignore_keywords: leave keywords whole; default False.
    """

    generate_word_parts: Flag | None = None
    generate_number_parts: Flag | None = None
    concatenate_words: Flag | None = None
    concatenate_numbers: Flag | None = None
    concatenate_all: Flag | None = None
    preserve_original: Flag | None = None
    split_on_case_change: Flag | None = None
    split_on_numerics: Flag | None = None
    stem_english_possessive: Flag | None = None
    ignore_keywords: Flag | None = None


class WordDelimiterGraph(Part):
    """Cuts tokens where case or kind of character changes.

    Args:
        protected_words: tokens to leave whole.
        delimiter_options: what to cut and put together.
    """

    type: Literal["wordDelimiterGraph"] = "wordDelimiterGraph"
    protected_words: ProtectedWords | None = None
    delimiter_options: DelimiterOptions | None = None


TokenFilter: TypeAlias = Annotated[
    Annotated[AsciiFolding, Tag("asciiFolding")]
    | Annotated[DaitchMokotoffSoundex, Tag("daitchMokotoffSoundex")]
    | Annotated[EdgeGramFilter, Tag("edgeGram")]
    | Annotated[EnglishMinimalStemming, Tag("englishMinimalStemming")]
    | Annotated[EnglishPossessive, Tag("englishPossessive")]
    | Annotated[FlattenGraph, Tag("flattenGraph")]
    | Annotated[IcuFolding, Tag("icuFolding")]
    | Annotated[IcuNormalizer, Tag("icuNormalizer")]
    | Annotated[KeywordRepeat, Tag("keywordRepeat")]
    | Annotated[KStemming, Tag("kStemming")]
    | Annotated[Length, Tag("length")]
    | Annotated[LimitTokenCount, Tag("limitTokenCount")]
    | Annotated[Lowercase, Tag("lowercase")]
    | Annotated[NGramFilter, Tag("nGram")]
    | Annotated[PorterStemming, Tag("porterStemming")]
    | Annotated[RegexFilter, Tag("regex")]
    | Annotated[RemoveDuplicates, Tag("removeDuplicates")]
    | Annotated[Reverse, Tag("reverse")]
    | Annotated[Shingle, Tag("shingle")]
    | Annotated[SnowballStemming, Tag("snowballStemming")]
    | Annotated[SpanishPluralStemming, Tag("spanishPluralStemming")]
    | Annotated[Stempel, Tag("stempel")]
    | Annotated[Stopword, Tag("stopword")]
    | Annotated[Trim, Tag("trim")]
    | Annotated[WordDelimiterGraph, Tag("wordDelimiterGraph")]
    | Annotated[RawPart, Tag("raw")],
    Discriminator(kind_by_type(frozenset())),
]
