"""`$top`, `$bottom`, `$topN`, `$bottomN`: outputs of the rows that a sort order puts first or last."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order, require
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.operators.sums import checked_count
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope, Variables
from atlas_rag.inprocess.mql.stages.sorting import compile_pattern
from atlas_rag.inprocess.mql.values import MISSING, sort_key
from atlas_rag.inprocess.mql.values.order import EMPTY_ARRAY_KEY, Key
from atlas_rag.inprocess.mql.values.paths import reader
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.sorting import NULL_KEY
from atlas_rag.inprocess.rendering import render_field

RANKED = frozenset({"$top", "$bottom", "$topN", "$bottomN"})


class Ranked:
    """Takes (rank, output) of rows and keeps those of the least ranks, or of the greatest for `$bottom`.

    Rows that tie stand in the order in which they came. A row takes the place of the worst one only if it is
    better; of several that are the worst, the last one goes from the top, and the first one from the bottom.

    Args:
        count: how many are kept, None for a single one that is no array.
        keeps_all: choose only when asked for the result, as in windows that rows leave; the bottom is then
            what came last, also where rows tie.
    """

    __slots__ = ("bottom", "is_single", "keeps_all", "most", "outputs", "ranks")

    def __init__(self, count: int | None, *, bottom: bool, keeps_all: bool) -> None:
        self.most, self.is_single = count or 1, count is None
        self.bottom, self.keeps_all = bottom, keeps_all
        self.ranks, self.outputs = list[Any](), list[Any]()

    def add(self, value: Any) -> None:
        rank, output = value
        if len(self.ranks) >= self.most and not self.keeps_all:
            if not (self.ranks[0] < rank if self.bottom else rank < self.ranks[-1]):
                return
            worst = 0 if self.bottom else -1
            del self.ranks[worst], self.outputs[worst]
        at = bisect_right(self.ranks, rank)
        self.ranks.insert(at, rank)
        self.outputs.insert(at, None if output is MISSING else output)

    def result(self) -> Any:
        chosen = self.outputs[-self.most :] if self.bottom else self.outputs[: self.most]
        if self.is_single:
            return chosen[0] if chosen else None
        return list(chosen)


class CompiledRanked(NamedTuple):
    """What an accumulator is made of; `sliding` is for windows that rows leave."""

    input: Evaluate
    start: Callable[[Row, Variables], Ranked]
    sliding: Callable[[Row, Variables], Ranked]


def compile_ranked(name: str, argument: Any, scope: Scope) -> CompiledRanked:
    """Returns the accumulator over an argument. Raises 5788001 to 5788005, 10065, and what sorts refuse."""
    given = _arguments(name, argument, scope)
    rank = _ranks(given["sortBy"], scope)
    output, count = compile_expression(given["output"], scope), given.get("n")

    def start(group: Row, variables: Variables, keeps_all: bool = False) -> Ranked:
        number = checked_count(count(group, variables)) if count else None
        return Ranked(number, bottom=name.startswith("$bottom"), keeps_all=keeps_all)

    return CompiledRanked(
        lambda row, variables: (rank(row), output(row, variables)), start, partial(start, keeps_all=True)
    )


def _arguments(name: str, argument: Any, scope: Scope) -> dict[str, Any]:
    """Returns what was given, of which `n` is compiled, and read before the rest."""
    several = name.endswith("N")
    if not isinstance(argument, Mapping):
        raise CommandError(5788001, f"specification must be an object; found {render_field(name, argument)}")
    readers: dict[str, Callable[[Any], Any]] = {"sortBy": _pattern, "output": lambda value: value}
    codes = {"output": 5788004, "sortBy": 5788005}
    if several:
        readers["n"] = lambda value: compile_expression(value, scope)
        codes = {"n": 5788003, **codes}
    given = read_in_order(argument, readers, (5788002, f"Unknown argument to {name} '{{}}'"))
    require(given, "Missing value for '{}'", codes)
    return given


def _pattern(value: Any) -> Mapping[str, Any]:
    """Returns a sort pattern; to a server, an array is a document with numbers for names."""
    if isinstance(value, list):
        return {str(position): item for position, item in enumerate(value)}
    if not isinstance(value, Mapping):
        raise CommandError(10065, "invalid parameter: expected an object (sortBy)")
    return value


def _ranks(pattern: Mapping[str, Any], scope: Scope) -> Callable[[Row], tuple[Any, ...]]:
    """Returns what gives the rank of a row: the keys by which it sorts, to be compared as they are."""
    order = compile_pattern(pattern, scope)
    paths = [path for path, way in pattern.items() if not isinstance(way, Mapping)]
    readers = [reader(path) for path in paths]
    parts = list(zip(pattern, order.parts, strict=True))

    def rank(row: Row) -> tuple[Any, ...]:
        values = [read(row.doc) for read in readers]
        if sum(isinstance(value, list) for value in values) > 1:
            raise CommandError(2, "cannot sort with keys that are parallel arrays")
        found = dict(zip(paths, map(_key, values), strict=True))
        keys = ((found[path] if path in found else key(row), falls) for path, (key, falls) in parts)
        return tuple([_Falling(key) if falls else key for key, falls in keys])

    return rank


def _key(value: Any) -> Key:
    """Returns the key of a field: unlike in `$sort`, an array that is not empty counts as a whole."""
    if value is MISSING:
        return NULL_KEY
    return EMPTY_ARRAY_KEY if value == [] else sort_key(value)


@dataclass(frozen=True, slots=True)
class _Falling:
    """A key of a part that descends."""

    key: Key

    def __lt__(self, other: _Falling) -> bool:
        return other.key < self.key
