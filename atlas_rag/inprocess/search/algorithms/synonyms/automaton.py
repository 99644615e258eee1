"""An automaton over the terms of a text with synonyms, and how often a document runs through it.

Source: Lucene's TermAutomatonQuery: matches may begin anywhere, overlap, and each way to end one counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from atlas_rag.inprocess.search.algorithms.synonyms.rules import Segment

ANY_TERM = None
_Label: TypeAlias = str | None
_Node: TypeAlias = int
_Arcs: TypeAlias = dict[_Node, list[tuple[_Label, _Node]]]


class TermAutomaton:
    """Deterministic states over terms; 0 is the start.

    Args:
        segments: the text; its gaps accept any term.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        arcs, last = _arcs(segments)
        self.terms = sorted(
            {term for targets in arcs.values() for term, _ in targets if term is not ANY_TERM}
        )
        self._steps: list[dict[_Label, int]] = []
        self._accepting: list[bool] = []
        numbers: dict[frozenset[_Node], int] = {}
        waiting = [frozenset({0})]
        numbers[waiting[0]] = 0
        while waiting:
            nodes = waiting.pop(0)
            self._accepting.append(last in nodes)
            steps: dict[_Label, int] = {}
            for label, targets in _targets(arcs, nodes).items():
                if targets not in numbers:
                    numbers[targets] = len(numbers)
                    waiting.append(targets)
                steps[label] = numbers[targets]
            self._steps.append(steps)

    def frequency(self, places: Mapping[int, Sequence[str]]) -> int:
        """How many times a document runs into the end.

        Args:
            places: the document's terms by position, at least those in `terms`.
        """
        ends = 0
        states: list[int] = []
        for position in range(min(places), max(places) + 1) if places else ():
            reached: list[int] = []
            for term in places.get(position, ()):
                reached += [self._step(state, term) for state in [*states, 0]]
            if not places.get(position):
                reached = [self._step(state, ANY_TERM) for state in states]
            states = [state for state in reached if state >= 0]
            ends += sum(self._accepting[state] for state in states)
        return ends

    def _step(self, state: int, term: _Label) -> int:
        steps = self._steps[state]
        return steps.get(term, steps.get(ANY_TERM, -1))


def _arcs(segments: Sequence[Segment]) -> tuple[_Arcs, _Node]:
    """The arcs of the text as a graph, and its last node."""
    arcs: _Arcs = {}
    fresh = iter(range(1, 1 << 30))
    node = 0
    for segment in segments:
        for _ in range(segment.gap):
            after = next(fresh)
            arcs.setdefault(node, []).append((ANY_TERM, after))
            node = after
        end = next(fresh)
        for words in segment.alternatives:
            here = node
            for word in words[:-1]:
                after = next(fresh)
                arcs.setdefault(here, []).append((word, after))
                here = after
            arcs.setdefault(here, []).append((words[-1], end))
        node = end
    return arcs, node


def _targets(arcs: _Arcs, nodes: frozenset[_Node]) -> dict[_Label, frozenset[_Node]]:
    found: dict[_Label, set[_Node]] = {}
    for node in nodes:
        for label, target in arcs.get(node, ()):
            found.setdefault(label, set()).add(target)
    anywhere = found.get(ANY_TERM, set())
    return {label: frozenset(targets | anywhere) for label, targets in found.items()}
