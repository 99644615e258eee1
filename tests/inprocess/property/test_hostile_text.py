"""Hostile text costs work in proportion to its size, or is refused: twice the text, at most twice the steps.

Steps are lines of Python, and characters that a tokenizer's expression is given to look at; no clock is read.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.patterns.regexp import compile_regexp
from atlas_rag.inprocess.search.algorithms.patterns.wildcard import compile_wildcard
from atlas_rag.inprocess.search.algorithms.query_string.parser import parse
from atlas_rag.inprocess.search.algorithms.sentences import sentence_starts
from atlas_rag.inprocess.search.algorithms.synonyms.rules import SynonymRules
from atlas_rag.inprocess.search.algorithms.token_graph import Step
from atlas_rag.inprocess.search.analysis.charfilters.html_strip import html_strip
from atlas_rag.inprocess.search.analysis.custom import custom_analyzer
from atlas_rag.inprocess.search.analysis.tokenizers import standard
from tests.support.steps import steps_of
from tests.support.text_index import indexed, keys

SIZE = 800
SLACK = 2.3
"""Twice the work, and a little for what comes once."""

WORDS = ["a", "é", "_", "\u200d", "漢", "a.", "1,", 'א"', "a\u0301", "👩\u200d", "_\u0301", "ก", "カ", "ab1/"]
HTML = ["<?", "<a ", "<!--#", "<a b='", "&", "&#1", "<script><!--", "</a", "<!x", "<![CDATA[", '<a b="']
SENTENCES = [".(", ". ", "a. b.", '."', ".  (", "!", ".\u0301", "("]
CHAINS = {
    "url": {"tokenizer": {"type": "uaxUrlEmail"}},
    "parts": {
        "tokenizer": {"type": "keyword"},
        "tokenFilters": [{"type": "wordDelimiterGraph", "delimiterOptions": {"concatenateAll": True}}],
    },
    "flat": {
        "tokenizer": {"type": "whitespace"},
        "tokenFilters": [{"type": "stopword", "tokens": ["x"]}, {"type": "flattenGraph"}],
    },
    "shingles": {
        "tokenizer": {"type": "whitespace"},
        "tokenFilters": [{"type": "shingle", "minShingleSize": 2, "maxShingleSize": 3}],
    },
    "sounds": {"tokenizer": {"type": "keyword"}, "tokenFilters": [{"type": "daitchMokotoffSoundex"}]},
}


def assert_proportional(work: Callable[[int], Callable[[], Any]], size: int = SIZE) -> None:
    once, twice = (steps_of(work(times * size)) for times in (1, 2))
    assert twice <= SLACK * once + 500, (once, twice)


class _Watched:
    """An expression that counts the characters it is given."""

    def __init__(self, pattern: Any) -> None:
        self._pattern = pattern
        self.characters = 0

    def match(self, text: str, start: int, end: int) -> Any:
        self.characters += end - start
        return self._pattern.match(text, start, end)

    def finditer(self, text: str, start: int = 0, end: int | None = None) -> Any:
        self.characters += (len(text) if end is None else end) - start
        return self._pattern.finditer(text, start, len(text) if end is None else end)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("max_length", [255, 1_048_576])
def test_an_unbroken_word_is_looked_at_a_bounded_number_of_times(
    word: str, max_length: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = []
    for times in (1, 2):
        watched = _Watched(standard.PATTERN)
        monkeypatch.setattr(standard, "PATTERN", watched)
        text = word * (times * SIZE)
        steps = steps_of(lambda text=text: list(standard.spans(text, min(max_length, 255))))
        counts.append(steps + watched.characters)
        monkeypatch.undo()
    assert counts[1] <= SLACK * counts[0] + 500


def test_an_unbroken_word_is_cut_into_pieces_of_255() -> None:
    sizes = [end - start for start, end in standard.spans("a" * 200_000)]
    assert sizes == [255] * 784 + [200_000 - 784 * 255]


def test_text_of_an_unbroken_word_is_answered_or_refused() -> None:
    index = indexed({"t": {"type": "string"}}, [{"t": "a" * 200_000}])
    assert keys(index, text={"path": "t", "query": "a" * 200_000}) == [0]
    with pytest.raises(EngineRefusal, match="too many sub-queries"):
        keys(index, text={"path": "t", "query": "é" * 8_000_000})
    with pytest.raises(EngineRefusal, match="too many sub-queries"):
        keys(index, text={"path": "t", "query": "ab " * 1_000_000})


@pytest.mark.parametrize("chain", CHAINS)
@pytest.mark.parametrize("piece", ["a.", "a-", "a x ", "rcrz", '"a".', "http://", "a@"])
def test_chains_take_steps_in_proportion(chain: str, piece: str) -> None:
    analyzer = custom_analyzer({"name": "x", **CHAINS[chain]})
    assert_proportional(lambda size: lambda: analyzer.terms(piece * (size // len(piece))))


@pytest.mark.parametrize("piece", HTML)
@pytest.mark.parametrize("end", ["", ">", " " * SIZE])
def test_markup_is_stripped_in_proportion(piece: str, end: str) -> None:
    strip = html_strip()
    assert_proportional(lambda size: lambda: strip(piece * (size // len(piece)) + end))


@pytest.mark.parametrize("piece", SENTENCES)
def test_sentences_are_found_in_proportion(piece: str) -> None:
    assert_proportional(lambda size: lambda: sentence_starts(piece * (size // len(piece))))


def test_synonyms_of_one_rule_are_kept_once() -> None:
    def rules(count: int) -> Callable[[], Any]:
        names = [f"w{at}" for at in range(count)]
        return lambda: SynonymRules(
            [{"mappingType": "equivalent", "synonyms": names}], lambda text: [Step(text)]
        )

    assert_proportional(rules)


@pytest.mark.parametrize("pattern", ["a", "a.", "(a)", "[ab]", "a|", "\\a"])
def test_regular_expressions_are_matched_in_proportion(pattern: str) -> None:
    def work(size: int) -> Callable[[], Any]:
        return lambda: compile_regexp(pattern * (size // 4) + "a").accepts("a" * size)

    assert_proportional(work)


@pytest.mark.parametrize(
    "pattern", ["((a{1,9}){1,9}){1,99}", "(a?){300}a{300}", ".*" + "a" * 2000, "(a|aa)*(b|bb)*" * 20]
)
def test_expressions_that_need_too_many_states_are_refused_after_bounded_work(pattern: str) -> None:
    work = steps_of(lambda: compile_regexp(pattern).accepts("a" * 1000))
    assert work < 5_000_000


@pytest.mark.parametrize("pattern", ["*a", "a", "?*", "*a?b"])
def test_wildcards_are_matched_in_proportion(pattern: str) -> None:
    assert_proportional(lambda size: lambda: compile_wildcard(pattern * size).accepts("a" * size))


@pytest.mark.parametrize("piece", ["ab ", "a OR ", "/a ", '"a\\', "(", "a:", "[a TO "])
def test_query_strings_are_parsed_in_proportion(piece: str) -> None:
    assert_proportional(lambda size: lambda: parse(piece * (size // len(piece)), "p"))


def test_deep_nesting_is_refused() -> None:
    index = indexed({"t": {"type": "string"}}, [{"t": "a"}])
    body: dict[str, Any] = {"exists": {"path": "t"}}
    for _ in range(5000):
        body = {"compound": {"must": [body]}}
    with pytest.raises(EngineRefusal, match="nested too deeply"):
        index.search(body)


def test_many_clauses_are_refused_after_steps_in_proportion() -> None:
    index = indexed({"t": {"type": "string"}}, [{"t": "a"}])
    clause = {"exists": {"path": "t"}}

    def work(size: int) -> Callable[[], Any]:
        return lambda: index.search({"compound": {"should": [clause] * size}})

    assert_proportional(work, size=2000)
