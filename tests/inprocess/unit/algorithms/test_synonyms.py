"""Synonym rules, and the automaton that the older syntax matches with."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.algorithms.synonyms.automaton import TermAutomaton
from atlas_rag.inprocess.search.algorithms.synonyms.rules import Segment, SynonymRules, graph
from atlas_rag.inprocess.search.algorithms.token_graph import Step, TokenGraph


def places(text: str) -> list[Step]:
    """Words, of which `of` is a stop word that leaves a hole."""
    found: list[Step] = []
    hole = 0
    for word in text.split():
        if word == "of":
            hole += 1
        else:
            found.append(Step(word, 1 + hole))
            hole = 0
    return found


def equivalent(*synonyms: str) -> dict[str, Any]:
    return {"mappingType": "equivalent", "synonyms": list(synonyms)}


def explicit(inputs: list[str], synonyms: list[str]) -> dict[str, Any]:
    return {"mappingType": "explicit", "input": inputs, "synonyms": synonyms}


def expand(text: str, *documents: dict[str, Any]) -> list[Segment]:
    return SynonymRules(documents, places).expand(places(text))


def test_equivalents_offer_all_and_the_words_themselves() -> None:
    (segment,) = expand("fox", equivalent("fox", "reynard fox"))
    assert segment.alternatives == (("fox",), ("reynard", "fox"), ("fox",))
    assert not segment.single


def test_an_explicit_rule_works_one_way() -> None:
    rule = explicit(["king", "queen"], ["royal person"])
    assert expand("queen", rule)[0].alternatives == (("royal", "person"), ("queen",))
    assert expand("royal person", rule) == [Segment((("royal",),)), Segment((("person",),))]


def test_the_longest_rule_wins_and_rules_do_not_overlap() -> None:
    rules = equivalent("a b c", "x"), equivalent("b c d", "y"), equivalent("a", "z")
    alternatives = [segment.alternatives for segment in expand("a b c d", *rules)]
    assert alternatives == [(("a", "b", "c"), ("x",), ("a", "b", "c")), (("d",),)]
    assert expand("a b", *rules)[0].alternatives == (("a",), ("z",), ("a",))


def test_rules_of_the_same_words_add_up() -> None:
    rules = equivalent("tv", "telly"), explicit(["tv"], ["set", "telly"])
    assert expand("tv", *rules)[0].alternatives == (("tv",), ("telly",), ("set",), ("tv",))


def test_a_hole_is_kept_as_a_gap() -> None:
    assert [segment.gap for segment in expand("king of of hearts")] == [0, 2]


def test_a_hole_before_words_that_a_rule_replaces_is_lost() -> None:
    assert [segment.gap for segment in expand("king of fox of ran", equivalent("fox", "vixen"))] == [0, 0, 1]


def test_alternatives_of_one_term_share_a_position() -> None:
    steps = list(graph(expand("my fox ran", equivalent("fox", "vixen"))))
    assert steps == [Step("my"), Step("fox"), Step("vixen", 0), Step("fox", 0), Step("ran")]


def test_longer_alternatives_make_a_graph_of_which_each_way_is_a_reading() -> None:
    steps = list(graph(expand("my fox of ran", equivalent("fox", "red fox"))))
    ways = [[step.term for step in way] for way in TokenGraph(steps).ways()]
    assert ways == [["my", "fox", "ran"], ["my", "red", "fox", "ran"], ["my", "fox", "ran"]]
    assert [step.increment for step in next(TokenGraph(steps).ways())] == [1, 1, 2]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "brown of fox",
            "term: brown of fox analyzed to a token (fox) with position increment != 1 (got: 2)",
        ),
        ("of", "term: of was completely eliminated by analyzer"),
    ],
)
def test_a_synonym_with_a_hole_spoils_the_mapping(text: str, problem: str) -> None:
    with pytest.raises(EngineRefusal) as refused:
        SynonymRules([equivalent("x", text)], places)
    assert refused.value.text == f"failed to analyze string in synonym document: {problem}"


@pytest.mark.parametrize(
    ("query", "document", "frequency"),
    [
        ("dog", "dog", 1),
        ("dog", "lazy dog", 2),  # two ways to end there
        ("dog", "lazy", 0),
        ("happy dog", "happy dog sad dog happy lazy dog", 2),
        ("happy dog", "happy big dog", 0),
        ("king of dog", "king big dog king dog", 1),
        ("cat", "cat cat", 2),
    ],
)
def test_every_way_through_the_automaton_counts(query: str, document: str, frequency: int) -> None:
    automaton = TermAutomaton(expand(query, equivalent("dog", "lazy dog")))
    known = {at: [word] for at, word in enumerate(document.split()) if word in automaton.terms}
    assert automaton.frequency(known) == frequency
