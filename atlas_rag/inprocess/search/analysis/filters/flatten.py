"""Flattening of token graphs, for the index, which keeps no position lengths.

Source: the documented behaviour of Lucene's FlattenGraphFilter: the positions of all paths are merged into
one chain, each token keeps the widest span that it may have, and offsets are those of the tightest tokens
that start and end at a position.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from atlas_rag.inprocess.search.analysis.token import Token, Tokens

NOWHERE = -1


@dataclass
class _Input:
    """A position of the graph: the tokens that leave it, the nearest they lead to, and its place so far."""

    tokens: list[Token] = field(default_factory=list)
    nearest: int = sys.maxsize
    place: int = NOWHERE


@dataclass
class _Output:
    """A place in the chain: the positions merged into it, and its offsets."""

    inputs: list[int] = field(default_factory=list)
    start: int = -1
    end: int = -1


class _Graph:
    """The graph so far; `_from` is the position that the last token left."""

    def __init__(self) -> None:
        self._inputs: dict[int, _Input] = {0: _Input(place=0)}
        self._outputs: dict[int, _Output] = {0: _Output([0], start=0)}
        self._from = -1
        self._last_place = 0

    def add(self, token: Token) -> None:
        """Takes the next token in."""
        before = self._from
        self._from += token.increment
        source = self._input(self._from)
        if source.place == NOWHERE:
            out = self._behind_hole(source, token)
        else:
            out = self._outputs[source.place]
            previous = self._inputs.get(before)
            if token.increment > 1 and previous and self._is_long_edge(source, previous):
                out.inputs.remove(self._from)
                source.place = NOWHERE
                end = out.end
                out = self._behind_hole(source, token)
                out.end = end
            out.start = max(out.start, token.start)
        source.tokens.append(token)
        target = self._from + token.length
        source.nearest = min(source.nearest, target)
        self._arrive(target, source, token)

    def _is_long_edge(self, source: _Input, previous: _Input) -> bool:
        """Whether a path that ended in a hole left this position without a place of its own."""
        return source.place - previous.place <= 1 and previous.nearest != self._from

    def _arrive(self, target: int, source: _Input, token: Token) -> None:
        """The position that the token leads to stands behind the one that it leaves."""
        reached = self._input(target)
        place = source.place + 1
        if place > reached.place:
            if reached.place != NOWHERE:
                self._outputs[reached.place].inputs.remove(target)
            self._output(place).inputs.append(target)
            reached.place = place
        out = self._output(reached.place)
        if out.end == -1 or token.end < out.end:
            out.end = token.end

    def _behind_hole(self, source: _Input, token: Token) -> _Output:
        """A place for a position that no token leads to."""
        previous = self._from - token.increment
        if previous < 0:
            place = self._last_place + 1
        else:
            nearest = self._input(previous).nearest
            before = nearest < self._from
            place = self._input(nearest).place + 1 if before else self._last_place
        out = self._output(place)
        source.place = place
        out.start = max(out.start, token.start)
        out.inputs.append(self._from)
        return out

    def _input(self, position: int) -> _Input:
        return self._inputs.setdefault(position, _Input())

    def _output(self, place: int) -> _Output:
        self._last_place = max(self._last_place, place)
        return self._outputs.setdefault(place, _Output())

    def chain(self) -> list[Token]:
        """All tokens by their places."""
        out: list[Token] = []
        last_place, last_start = -1, 0
        for place in sorted(self._outputs):
            for position in self._outputs[place].inputs:
                for token in self._inputs[position].tokens:
                    target = self._inputs[position + token.length].place
                    last_start = max(last_start, self._outputs[place].start)
                    end = max(last_start, self._outputs[target].end)
                    moved = token._replace(
                        start=last_start, end=end, increment=place - last_place, length=target - place
                    )
                    out.append(moved)
                    last_place = place
        return out


def flatten_graph(tokens: Tokens) -> Tokens:
    """The same tokens in a chain of positions."""
    graph = _Graph()
    for token in tokens:
        graph.add(token)
    return tokens.then(graph.chain())
