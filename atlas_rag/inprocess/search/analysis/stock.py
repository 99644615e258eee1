"""The stock analyzers, each as the chain that its documentation describes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from atlas_rag.inprocess.search.analysis.analyzer import Analyzer
from atlas_rag.inprocess.search.analysis.charfilters.persian import persian as persian_text
from atlas_rag.inprocess.search.analysis.filters import arabic, cjk, european, indic
from atlas_rag.inprocess.search.analysis.filters.case import lower, turkish_lower
from atlas_rag.inprocess.search.analysis.filters.english import possessive
from atlas_rag.inprocess.search.analysis.filters.stop import stop_ignoring_case, stop_words
from atlas_rag.inprocess.search.analysis.stemmers import porter, stempel
from atlas_rag.inprocess.search.analysis.stemmers.light import arabic as arabic_stemmers
from atlas_rag.inprocess.search.analysis.stemmers.light import (
    brazilian,
    french,
    galician,
    german,
    greek,
    indonesian,
    latvian,
    romance,
    slavic,
    sorani,
)
from atlas_rag.inprocess.search.analysis.stemmers.light import indic as indic_stemmers
from atlas_rag.inprocess.search.analysis.stemmers.snowball import STEMMERS as SNOWBALL
from atlas_rag.inprocess.search.analysis.token import Filter, TermFilter
from atlas_rag.inprocess.search.analysis.tokenizers import Tokenizer
from atlas_rag.inprocess.search.analysis.tokenizers.simple import (
    KeywordTokenizer,
    letter_tokenizer,
    whitespace_tokenizer,
)
from atlas_rag.inprocess.search.analysis.tokenizers.standard import StandardTokenizer

LOWER = TermFilter(lower)
DIGITS = TermFilter(arabic.decimal_digits)
ARABIC = TermFilter(arabic.arabic)
PERSIAN = TermFilter(arabic.persian)
SORANI = TermFilter(arabic.sorani)
INDIC = TermFilter(indic.indic)
IRISH_HYPHENATED = stop_ignoring_case("hnt", lower)
DUTCH_EXCEPTIONS = {"fiets": "fiets", "bromfiets": "bromfiets", "ei": "eier", "kind": "kinder"}


def _stop(language: str) -> TermFilter:
    """Drops the language's stop words; the list is read when the first word comes."""
    return TermFilter(lambda term: None if term in stop_words(language) else term)


Make = Callable[[str], Analyzer]


def _chain(tokenizer: Callable[[], Tokenizer], *filters: Filter, normalizing: Sequence[Filter] = ()) -> Make:
    """A recipe for an analyzer; `normalizing` are the filters that a term without tokenizing passes."""
    return lambda name: Analyzer(name, tokenizer(), filters, normalizing=normalizing)


def _language(
    language: str,
    stem: Callable[[str], str] | None,
    *,
    before: Sequence[Filter] = (),
    first: Sequence[Filter] = (LOWER,),
    last: Sequence[Filter] = (),
) -> Make:
    """The usual chain: words, spelling, stop words, more spelling, stem.

    Args:
        before: filters ahead of `first` that `normalize` leaves out.
        first: spelling ahead of the stop words.
        last: spelling behind the stop words.
    """
    stems = [] if stem is None else [TermFilter(stem, stems=True)]
    return lambda name: Analyzer(
        name,
        StandardTokenizer(),
        [*before, *first, _stop(language), *last, *stems],
        normalizing=[*first, *last],
    )


def _persian(name: str) -> Analyzer:
    spelling = [LOWER, DIGITS, ARABIC, PERSIAN]
    stem = TermFilter(arabic_stemmers.persian_stem, stems=True)
    filters = [*spelling, _stop("persian"), stem]
    return Analyzer(
        name, StandardTokenizer(), filters, [persian_text], normalizing=spelling, normalizing_text=()
    )


def _elided(language: str, stem: Callable[[str], str]) -> Make:
    return _language(language, stem, first=[TermFilter(european.elision(language)), LOWER])


_cjk = _chain(
    StandardTokenizer,
    TermFilter(cjk.width),
    LOWER,
    cjk.bigrams,
    _stop("cjk"),
    normalizing=[TermFilter(cjk.width), LOWER],
)


def _dutch_stem(word: str) -> str:
    return DUTCH_EXCEPTIONS.get(word) or SNOWBALL["dutch"](word)


def _snowball(language: str, **spelling: Sequence[Filter]) -> Make:
    return _language(language, SNOWBALL[language], **spelling)


STOCK: dict[str, Make] = {
    "standard": _chain(StandardTokenizer, LOWER, normalizing=[LOWER]),
    "simple": _chain(letter_tokenizer, LOWER, normalizing=[LOWER]),
    "whitespace": _chain(whitespace_tokenizer),
    "keyword": _chain(KeywordTokenizer),
    "stop": _chain(letter_tokenizer, LOWER, _stop("english"), normalizing=[LOWER]),
    "chinese": _cjk,
    "cjk": _cjk,
    "japanese": _cjk,
    "korean": _cjk,
    "arabic": _language("arabic", arabic_stemmers.stem, first=[LOWER, DIGITS], last=[ARABIC]),
    "armenian": _snowball("armenian"),
    "basque": _snowball("basque"),
    "bengali": _language(
        "bengali", indic_stemmers.bengali_stem, first=[LOWER, DIGITS, INDIC, TermFilter(indic.bengali)]
    ),
    "brazilian": _language("brazilian", brazilian.stem),
    "bulgarian": _language("bulgarian", slavic.bulgarian_stem),
    "catalan": _elided("catalan", SNOWBALL["catalan"]),
    "czech": _language("czech", slavic.czech_stem),
    "danish": _snowball("danish"),
    "dutch": _language("dutch", _dutch_stem),
    "english": _language("english", porter.stem, before=[possessive]),
    "finnish": _snowball("finnish"),
    "french": _elided("french", french.stem),
    "galician": _language("galician", galician.stem),
    "german": _language("german", german.stem, last=[TermFilter(german.normalize)]),
    "greek": _language("greek", greek.stem, first=[TermFilter(european.greek_lower)]),
    "hindi": _language(
        "hindi", indic_stemmers.hindi_stem, first=[LOWER, DIGITS, INDIC, TermFilter(indic.hindi)]
    ),
    "hungarian": _snowball("hungarian"),
    "indonesian": _language("indonesian", indonesian.stem),
    "irish": _snowball(
        "irish",
        before=[IRISH_HYPHENATED],
        first=[TermFilter(european.elision("irish")), TermFilter(european.irish_lower)],
    ),
    "italian": _elided("italian", romance.italian_stem),
    "latvian": _language("latvian", latvian.stem),
    "lithuanian": _snowball("lithuanian"),
    "norwegian": _snowball("norwegian"),
    "persian": _persian,
    "polish": _language("polish", stempel.stem),
    "portuguese": _language("portuguese", romance.portuguese_stem),
    "romanian": _snowball("romanian", last=[TermFilter(european.romanian)]),
    "russian": _snowball("russian"),
    "sorani": _language("sorani", sorani.stem, first=[SORANI, LOWER, DIGITS]),
    "spanish": _language("spanish", romance.spanish_stem),
    "swedish": _snowball("swedish"),
    "turkish": _snowball(
        "turkish", before=[TermFilter(european.before_apostrophe)], first=[TermFilter(turkish_lower)]
    ),
}
"""How to make each; the names are without `lucene.`."""
