"""Token graphs: the ways to read a text whose tokens may span several positions.

Source: Lucene's GraphTokenStreamFiniteStrings. Every token is an arc from one position to another; what is on
no way from the first position to the last is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from atlas_rag.inprocess.errors import EngineRefusal

MOST_POSITIONS = 1000
"""A graph with more is not taken apart."""


class Step(NamedTuple):
    """One term of a text.

    Args:
        increment: positions behind the term before; 0 puts it on the same one.
        length: positions that it spans, >= 1.
    """

    term: str
    increment: int = 1
    length: int = 1


class _Arc(NamedTuple):
    source: int
    target: int
    step: Step


class TokenGraph:
    """The arcs of a text by the position they leave.

    Args:
        steps: at least one, the first with an increment of 1 or more.
    """

    def __init__(self, steps: Iterable[Step]) -> None:
        arcs = list(_arcs(steps))
        self._end = max(arc.target for arc in arcs)
        self._arcs = _live(arcs, self._end)

    def cuts(self) -> list[int]:
        """The positions that every way passes, without the first and with the last.

        Raises:
            EngineRefusal: the graph is too long, in Lucene's words.
        """
        if len(self._arcs) > MOST_POSITIONS:
            raise EngineRefusal("Exceeded maximum recursion level during graph analysis")
        found, reached = [], 0
        for position in [*sorted(self._arcs), self._end]:
            if position and position >= reached:
                found.append(position)
            leaving = self._arcs.get(position, ())
            reached = max([reached, *(arc.target for arc in leaving)])
        return found

    def forks(self, position: int) -> bool:
        """Whether the tokens that leave a position lead to different ones."""
        return len({arc.target for arc in self._arcs[position]}) > 1

    def terms(self, position: int) -> list[str]:
        """The terms that leave a position."""
        return [arc.step.term for arc in self._arcs[position]]

    def ways(self, start: int = 0, end: int | None = None) -> Iterator[list[Step]]:
        """Every way between two positions (default: first to last), one at a time.

        The order is that of the tokens in the stream.
        """
        goal = self._end if end is None else end
        taken: list[Step] = []
        choices = [iter(self._arcs[start])]
        while choices:
            arc = next(choices[-1], None)
            if arc is None:
                choices.pop()
                if taken:
                    taken.pop()
                continue
            taken.append(arc.step)
            if arc.target == goal:
                yield list(taken)
                taken.pop()
            else:
                choices.append(iter(self._arcs[arc.target]))


def _arcs(steps: Iterable[Step]) -> Iterator[_Arc]:
    """Each step as an arc; a hole before a token makes its arc longer, stacked tokens share the hole."""
    position, gap, before = -1, 0, 1
    for term, increment, length in steps:
        if increment:
            position, gap, before = position + 1, increment - 1, increment
        else:
            position -= gap
        yield _Arc(position, position + length + gap, Step(term, before))
        position += gap


def _live(arcs: Sequence[_Arc], end: int) -> dict[int, list[_Arc]]:
    """The arcs that lie on a way from the first position to the last; arcs only lead forward."""
    reached = {0}
    for arc in sorted(arcs, key=lambda arc: arc.source):
        if arc.source in reached:
            reached.add(arc.target)
    arriving = {end}
    for arc in sorted(arcs, key=lambda arc: -arc.source):
        if arc.target in arriving:
            arriving.add(arc.source)
    found: dict[int, list[_Arc]] = {}
    for arc in arcs:
        if arc.source in reached and arc.target in arriving:
            found.setdefault(arc.source, []).append(arc)
    return found
