"""Terms within a few edits of a term, scored with one blended document frequency."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from atlas_rag.inprocess.search.algorithms.levenshtein import Expansion, expand
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import ONE, Query, Weight
from atlas_rag.inprocess.search.search_index.queries.boolean import should
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchNothing, Term
from atlas_rag.inprocess.search.search_index.queries.wrappers import Boost
from atlas_rag.inprocess.search.search_index.storage.terms import View


@dataclass(frozen=True, slots=True)
class Fuzzy(Query):
    """A term and all terms within `max_edits` of it; rewritten to its expansion."""

    field: str
    term: str
    max_edits: int
    prefix_length: int
    max_expansions: int

    def rewrite(self, partition: Partition) -> Query:
        view = partition.view(self.field)
        if view is None:
            return MatchNothing("no terms")
        return _expansion(self, view)

    def expansion(self, view: View) -> list[str]:
        """Returns the terms it stands for, in term order."""
        return [view.dictionary[0][each.term_index] for each in _kept(self, view)]

    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        return self.rewrite(partition).weigh(partition, boost)

    def __str__(self) -> str:
        return f"{self.field}:{self.term}~{self.max_edits}"


def _kept(query: Fuzzy, view: View) -> list[Expansion]:
    return expand(
        view.term_table,
        view.dictionary[0],
        query.term,
        max_edits=query.max_edits,
        prefix_length=query.prefix_length,
        max_expansions=query.max_expansions,
    )


def _expansion(query: Fuzzy, view: View) -> Query:
    words, counts = view.dictionary
    kept = _kept(query, view)
    if not kept:
        return MatchNothing("no terms")
    highest = max(int(counts[each.term_index]) for each in kept)
    parts: list[Query] = []
    for each in kept:
        term = Term(query.field, words[each.term_index], highest)
        parts.append(term if each.boost == 1 else Boost(term, float(each.boost)))
    return should(parts)
