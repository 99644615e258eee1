"""Names, refusals, normalization, and what a registry shares."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis import UNSUPPORTED, registry, stock_names


def custom(*filters: dict[str, Any], **parts: Any) -> Any:
    definition = {"name": "mine", "tokenizer": {"type": "standard"}, "tokenFilters": list(filters)} | parts
    return registry([definition]).get("mine")


def test_an_unknown_name_is_refused_in_the_engine_s_words() -> None:
    with pytest.raises(EngineRefusal, match=r"^references non-existent analyzers: lucene\.klingon$"):
        registry().get("lucene.klingon")
    assert "lucene.klingon" not in registry()
    assert "english" not in registry()


@pytest.mark.parametrize("name", sorted(UNSUPPORTED))
def test_a_dictionary_bound_analyzer_is_known_but_refused(name: str) -> None:
    assert name in registry()
    assert not registry().supported(name)
    with pytest.raises(EngineRefusal, match=name):
        registry().get(name)


def test_every_supported_stock_analyzer_can_be_made_and_used() -> None:
    for name in stock_names():
        analyzer = registry().get(name)
        assert analyzer.terms("Ein kleiner Text, 42!")[0], name


def test_stock_analyzers_are_shared_and_custom_ones_made_once() -> None:
    first = registry([{"name": "mine", "tokenizer": {"type": "keyword"}}])
    assert registry().get("lucene.english") is first.get("lucene.english")
    assert first.get("mine") is first.get("mine")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("lucene.english", "Running Foxes'", "running foxes'"),
        ("lucene.keyword", "As It Is", "As It Is"),
        ("lucene.german", "Müßig", "mussig"),
        ("lucene.french", "L'Été", "été"),
        ("lucene.turkish", "IŞIĞI'da", "ışığı'da"),
        ("lucene.cjk", "ＡＢ ｶﾞ", "ab ガ"),
    ],
)
def test_normalization_spells_but_does_not_stem(name: str, text: str, expected: str) -> None:
    assert registry().get(name).normalize(text) == expected


def test_a_custom_analyzer_normalizes_with_all_its_filters() -> None:
    assert custom({"type": "lowercase"}, {"type": "porterStemming"}).normalize("Running") == "run"


def test_a_normalization_that_drops_or_splits_the_term_is_refused() -> None:
    with pytest.raises(EngineRefusal, match="exactly 1 token, but got 0"):
        custom({"type": "stopword", "tokens": ["the"]}).normalize("The")
    with pytest.raises(EngineRefusal, match=r"exactly 1 token, but got 2\+"):
        custom({"type": "nGram", "minGram": 1, "maxGram": 2}).normalize("abc")


def test_dropped_tokens_leave_holes_within_and_behind() -> None:
    english = registry().get("lucene.english")
    assert english.terms("the fox and the hound") == (["fox", "hound"], [1, 4])
    assert english.placed("fox of the") == (["fox"], [0], 3)
    assert english.placed("the fox") == (["fox"], [1], 2)


def test_offsets_point_into_the_text_before_char_filters() -> None:
    analyzer = custom(charFilters=[{"type": "htmlStrip", "ignoredTags": []}])
    tokens = analyzer.tokens("<b>caf&eacute;</b> 😀 <i>ole</i>")
    assert [token[:3] for token in tokens] == [("café", 3, 18), ("😀", 19, 21), ("ole", 25, 32)]


def test_a_gram_size_of_zero_is_refused() -> None:
    with pytest.raises(EngineRefusal, match="minGram must be greater than zero"):
        custom({"type": "edgeGram", "minGram": 0, "maxGram": 2})


def test_a_null_option_is_an_absent_one() -> None:
    analyzer = custom({"type": "length", "min": 2, "max": None}, charFilters=None)
    assert analyzer.terms("a bb " + "c" * 255)[0] == ["bb", "c" * 255]


def test_folding_reaches_beyond_accents() -> None:
    folding = custom({"type": "icuFolding"})
    assert folding.terms("Łódź ŒUVRE ﬁx ١٢ straße ﾊﾝｶｸ")[0] == [
        "lodz",
        "oeuvre",
        "fix",
        "12",
        "strasse",
        "ハンカク",
    ]


def test_keywords_are_not_stemmed() -> None:
    repeated = custom({"type": "keywordRepeat"}, {"type": "porterStemming"}, {"type": "removeDuplicates"})
    assert repeated.terms("running fox") == (["running", "run", "fox"], [0, 0, 1])
