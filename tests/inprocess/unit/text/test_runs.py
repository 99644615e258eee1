"""Inverted lists equal what counting by hand gives, however writes, folds and deletions interleave."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from atlas_rag.inprocess.search.search_index.storage.documents import Documents
from atlas_rag.inprocess.search.search_index.storage.runs import slices, stable_order
from atlas_rag.inprocess.search.search_index.storage.terms import Options, TermField

words = st.lists(st.sampled_from("abcd"), min_size=0, max_size=6)
# A document's words, or the place of a document to remove, or None to read (which folds).
steps = st.lists(st.one_of(words, st.integers(0, 30), st.none()), max_size=40)


class ByHand:
    """Documents as lists of words."""

    def __init__(self) -> None:
        self.live: dict[int, list[str]] = {}

    def postings(self, term: str) -> list[tuple[int, int]]:
        return [(doc, found.count(term)) for doc, found in self.live.items() if term in found]

    def spots(self, term: str) -> list[tuple[int, int]]:
        return [
            (doc, at) for doc, found in self.live.items() for at, word in enumerate(found) if word == term
        ]


def replayed(script: list[list[str] | int | None]) -> tuple[TermField, ByHand]:
    documents, by_hand = Documents(), ByHand()
    field = TermField("f", documents, Options(frequencies=True, positions=True, lengths=True))
    for step in script:
        if step is None:
            _ = field.view
        elif isinstance(step, int):
            if documents.remove(step):
                del by_hand.live[step]
        else:
            number = documents.append(documents.size, 0)
            field.buffer.add(number, step, list(range(len(step))), len(step))
            documents.end_block(number, number)
            by_hand.live[number] = step
    return field, by_hand


@given(steps)
def test_postings_positions_and_statistics_are_those_of_the_live_documents(
    script: list[list[str] | int | None],
) -> None:
    field, by_hand = replayed(script)
    view = field.view
    for term in "abcd":
        docs, freqs = view.postings(term)
        assert list(zip(docs.tolist(), freqs.tolist(), strict=True)) == by_hand.postings(term)
        owners, positions = field.spots(term)
        assert list(zip(owners.tolist(), positions.tolist(), strict=True)) == by_hand.spots(term)
    lengths = {doc: len(found) for doc, found in by_hand.live.items() if found}
    assert view.doc_count == len(lengths)
    assert view.total_terms == sum(lengths.values())
    counts = Counter(term for found in by_hand.live.values() for term in set(found))
    assert dict(zip(view.dictionary.terms, view.dictionary.doc_freqs.tolist(), strict=True)) == counts
    assert view.dictionary.terms == sorted(counts)


@given(steps)
def test_compacting_changes_numbers_and_nothing_else(script: list[list[str] | int | None]) -> None:
    field, by_hand = replayed(script)
    _ = field.view
    alive = field.documents.arrays.alive
    field.renumber(alive, field.documents.compact())
    number = {doc: at for at, doc in enumerate(by_hand.live)}
    for term in "abcd":
        docs, freqs = field.view.postings(term)
        assert list(zip(docs.tolist(), freqs.tolist(), strict=True)) == [
            (number[doc], count) for doc, count in by_hand.postings(term)
        ]


@given(steps)
def test_a_saved_field_reads_as_before(script: list[list[str] | int | None]) -> None:
    field, by_hand = replayed(script)
    parts = field.dump()
    opened = TermField("f", field.documents, field.options)
    if parts:
        opened.load(parts)
    for term in "abcd":
        docs, freqs = opened.view.postings(term)
        assert list(zip(docs.tolist(), freqs.tolist(), strict=True)) == by_hand.postings(term)


def test_forward_lists_hold_each_posting_once() -> None:
    field, by_hand = replayed([["b", "a"], ["a"], 0, ["c", "c"], None])
    docs, ranks = field.view.forward
    found: dict[int, list[str]] = defaultdict(list)
    for doc, rank in zip(docs.tolist(), ranks.tolist(), strict=True):
        found[doc].append(field.view.dictionary.terms[rank])
    assert found == {doc: sorted(set(words)) for doc, words in by_hand.live.items()}


@given(st.lists(st.integers(0, 5), max_size=30))
def test_equal_terms_keep_their_order(terms: list[int]) -> None:
    array = np.array(terms, np.int32)
    assert stable_order(array).tolist() == np.argsort(array, kind="stable").tolist()


def test_slices_stand_one_behind_the_other() -> None:
    assert slices(np.array([5, 0, 9]), np.array([2, 3, 0])).tolist() == [5, 6, 0, 1, 2]
