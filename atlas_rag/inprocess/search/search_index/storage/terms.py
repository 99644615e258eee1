"""One inverted field: its terms, their postings, and the lengths that scores need."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.algorithms.levenshtein import TermTable
from atlas_rag.inprocess.search.search_index.storage.buffer import TokenBuffer, Tokens, Vocabulary
from atlas_rag.inprocess.search.search_index.storage.cache import ElementCache
from atlas_rag.inprocess.search.search_index.storage.documents import Documents
from atlas_rag.inprocess.search.search_index.storage.runs import (
    Flags,
    Ints,
    Longs,
    Run,
    build_run,
    merge_runs,
)
from atlas_rag.inprocess.search.search_index.storage.smallfloat import encode_lengths

NO_DOCS: Ints = np.zeros(0, np.int32)
NO_FREQS: NDArray[np.float32] = np.zeros(0, np.float32)


CACHED_POSTINGS = 1 << 22
"""Postings (and positions) that the readers of a field keep at most: 8 bytes each."""


class Postings(NamedTuple):
    """Documents of one term, ascending, and how often each has it (1 where frequencies are not kept)."""

    docs: Ints
    freqs: NDArray[np.float32]


class Spots(NamedTuple):
    """Every position of one term: the document and the position of each occurrence, in order."""

    docs: Ints
    positions: Ints


class Options(NamedTuple):
    """What a field keeps of its tokens."""

    frequencies: bool = False
    positions: bool = False
    lengths: bool = False


class Dictionary(NamedTuple):
    """The terms that live documents have, in code point order, with the number of documents of each."""

    terms: list[str]
    doc_freqs: Ints


class View:
    """What readers see of a field until the next write: caches that a write throws away."""

    def __init__(self, field: TermField) -> None:
        self._field = field
        self._postings: ElementCache[Postings] = ElementCache(CACHED_POSTINGS)
        self.places: ElementCache[Longs] = ElementCache(CACHED_POSTINGS)
        self.derived: dict[object, object] = {}

    def postings(self, term: str) -> Postings:
        """Returns the live postings of a term."""
        found = self._postings.get(term)
        if found is None:
            found = self._field.read_postings(term)
            self._postings.keep(term, found, len(found.docs))
        return found

    @cached_property
    def lengths(self) -> tuple[Ints, Ints, Ints]:
        """Documents that have the field, their token counts, and the counts without overlaps."""
        return self._field.live_lengths()

    @cached_property
    def doc_count(self) -> int:
        """Number of live documents with at least one token."""
        return len(self.lengths[0])

    @cached_property
    def total_terms(self) -> int:
        """Sum of the frequencies of all postings, as the field keeps them."""
        if self._field.options.frequencies:
            return int(self.lengths[1].sum(dtype=np.int64))
        return int(self.dictionary.doc_freqs.sum(dtype=np.int64))

    @cached_property
    def norms(self) -> NDArray[np.uint8]:
        """The one-byte length of every document of the partition (0 where it lacks the field)."""
        docs, _, lengths = self.lengths
        norms = np.zeros(self._field.documents.size, np.uint8)
        norms[docs] = encode_lengths(lengths)
        return norms

    @cached_property
    def forward(self) -> tuple[Ints, Ints]:
        """Every live posting as (document, rank of the term in the dictionary), documents rising."""
        return self._field.live_forward()

    @cached_property
    def term_table(self) -> TermTable:
        """The dictionary prepared for edit distances."""
        return TermTable(self.dictionary.terms)

    @cached_property
    def dictionary(self) -> Dictionary:
        """All live terms in code point order."""
        return self._field.live_dictionary()


class TermField:
    """Inverted lists of one Lucene field of one partition.

    Tokens wait in `buffer`; the first reader after a write folds them into a run.
    """

    def __init__(self, name: str, documents: Documents, options: Options) -> None:
        self.name = name
        self.documents = documents
        self.options = options
        self.vocabulary = Vocabulary()
        self.buffer = TokenBuffer(self.vocabulary)
        self._runs: list[Run] = []
        self._lengths: tuple[Ints, Ints, Ints] = (NO_DOCS, NO_DOCS, NO_DOCS)
        self._view: View | None = None
        self._seen = -1

    @property
    def view(self) -> View:
        """The field as readers see it now."""
        if len(self.buffer):
            self.fold()
        if self._view is None or self._seen != self.documents.version:
            self._view = View(self)
            self._seen = self.documents.version
        return self._view

    def fold(self) -> None:
        """Turns buffered tokens into a run and merges runs that have grown alike."""
        tokens = self.buffer.drain()
        if self.options.lengths:
            self._note_lengths(tokens)
        kept = tokens.positions if self.options.positions else None
        self._runs.append(build_run(tokens.terms, tokens.docs, kept))
        self._view = None
        while len(self._runs) > 1 and len(self._runs[-1].docs) * 2 >= len(self._runs[-2].docs):
            newer, older = self._runs.pop(), self._runs.pop()
            self._runs.append(merge_runs([older, newer], self.documents.alive_flags()))

    def _note_lengths(self, tokens: Tokens) -> None:
        terms, docs, positions = tokens
        owners, heads, totals = np.unique(docs, return_index=True, return_counts=True)
        distinct: NDArray[Any] = totals
        if not self.options.frequencies:
            distinct = _distinct_terms(docs, terms)
        elif positions is not None and len(positions) > 1:
            overlap = np.zeros(len(positions), np.int64)
            overlap[1:] = (positions[1:] == positions[:-1]) & (docs[1:] == docs[:-1])
            distinct = totals - np.add.reduceat(overlap, heads)
        added = (owners, totals, distinct)
        joined = [
            np.concatenate([old, np.asarray(new, np.int32)])
            for old, new in zip(self._lengths, added, strict=True)
        ]
        self._lengths = (joined[0], joined[1], joined[2])

    def dump(self) -> dict[str, NDArray[Any]]:
        """All that `load` needs, as named arrays; a field without documents gives nothing."""
        if len(self.buffer):
            self.fold()
        if not self._runs:
            return {}
        run = merge_runs(self._runs, None)
        words = [term.encode("utf-8", "surrogatepass") for term in self.vocabulary]
        parts: dict[str, NDArray[Any]] = {
            "words": np.frombuffer(b"".join(words), np.uint8),
            "sizes": np.array([len(word) for word in words], np.int32),
            "lengths": np.stack(self._lengths),
        }
        parts.update({name: part for name, part in run._asdict().items() if part is not None})
        return parts

    def load(self, parts: Mapping[str, NDArray[Any]]) -> None:
        """Fills an empty field with what `dump` gave."""
        raw, at = parts["words"].tobytes(), 0
        for size in parts["sizes"].tolist():
            self.vocabulary[raw[at : at + size].decode("utf-8", "surrogatepass")] = len(self.vocabulary)
            at += size
        owners, totals, distinct = parts["lengths"]
        self._lengths = (owners, totals, distinct)
        self._runs = [Run(**{name: parts.get(name) for name in Run._fields})]  # type: ignore[arg-type]

    def renumber(self, alive: Flags, renumbered: Ints) -> None:
        """Drops the dead and gives all others their new numbers."""
        if len(self.buffer):
            self.fold()
        if self._runs:
            self._runs = [merge_runs(self._runs, alive, renumbered)]
        owners, totals, distinct = self._lengths
        keep = alive[owners]
        self._lengths = (renumbered[owners[keep]], totals[keep], distinct[keep])
        self._view = None

    def read_postings(self, term: str) -> Postings:
        """Joins the live postings of a term over all runs."""
        number = self.vocabulary.get(term)
        if number is None:
            return Postings(NO_DOCS, NO_FREQS)
        parts = [(run, *run.span(number)) for run in self._runs]
        docs = np.concatenate([run.docs[a:b] for run, a, b in parts]) if parts else NO_DOCS
        freqs = np.concatenate([run.freqs[a:b] for run, a, b in parts]) if parts else NO_DOCS
        alive = self.documents.alive_flags()
        if alive is not None:
            keep = alive[docs]
            docs, freqs = docs[keep], freqs[keep]
        counted = freqs.astype(np.float32) if self.options.frequencies else np.ones(len(docs), np.float32)
        return Postings(docs, counted)

    def spots(self, term: str) -> Spots:
        """Returns every live position of a term (the field must keep positions)."""
        number = self.vocabulary.get(term)
        docs: list[Ints] = []
        positions: list[Ints] = []
        for run in self._runs if number is not None else ():
            first, last = run.span(number)  # type: ignore[arg-type]
            if first == last or run.spots is None or run.positions is None:
                continue
            docs.append(np.repeat(run.docs[first:last], run.freqs[first:last]))
            positions.append(run.positions[run.spots[first] : run.spots[last]])
        if not docs:
            return Spots(NO_DOCS, NO_DOCS)
        owners, places = np.concatenate(docs), np.concatenate(positions)
        alive = self.documents.alive_flags()
        if alive is not None:
            keep = alive[owners]
            owners, places = owners[keep], places[keep]
        return Spots(owners, places)

    def live_lengths(self) -> tuple[Ints, Ints, Ints]:
        """See `View.lengths`; a field that keeps no lengths counts its postings."""
        if not self.options.lengths:
            docs = np.unique(np.concatenate([run.docs for run in self._runs])) if self._runs else NO_DOCS
            alive = self.documents.alive_flags()
            docs = docs if alive is None else docs[alive[docs]]
            return docs, docs, docs
        alive = self.documents.alive_flags()
        if alive is None:
            return self._lengths
        keep = alive[self._lengths[0]]
        return self._lengths[0][keep], self._lengths[1][keep], self._lengths[2][keep]

    def live_dictionary(self) -> Dictionary:
        """See `View.dictionary`."""
        counts = np.zeros(len(self.vocabulary), np.int64)
        alive = self.documents.alive_flags()
        for run in self._runs:
            if alive is None:
                counts[run.terms] += np.diff(run.starts)
            else:
                owners = np.repeat(run.terms, np.diff(run.starts))
                counts += np.bincount(owners[alive[run.docs]], minlength=len(counts))
        terms = [term for term, number in self.vocabulary.items() if counts[number]]
        terms.sort()
        ids = [self.vocabulary[term] for term in terms]
        return Dictionary(terms, counts[ids].astype(np.int32))

    def live_forward(self) -> tuple[Ints, Ints]:
        """See `View.forward`."""
        ranks = np.full(len(self.vocabulary), -1, np.int32)
        for rank, term in enumerate(self.view.dictionary.terms):
            ranks[self.vocabulary[term]] = rank
        docs = [run.docs for run in self._runs] or [NO_DOCS]
        terms = [np.repeat(run.terms, np.diff(run.starts)) for run in self._runs] or [NO_DOCS]
        owners, numbers = np.concatenate(docs), ranks[np.concatenate(terms)]
        order = np.argsort(owners, kind="stable")
        alive = self.documents.alive_flags()
        if alive is not None:
            order = order[alive[owners[order]]]
        return owners[order], numbers[order]


def _distinct_terms(docs: Ints, terms: Ints) -> Ints:
    """Counts the different terms of each document, which is its length where frequencies are not kept."""
    pairs = np.unique(docs.astype(np.int64) << 32 | terms)
    lengths: Ints = np.unique(pairs >> 32, return_counts=True)[1].astype(np.int32)
    return lengths
