"""`$densify`: adds the documents that a series of numbers or dates lacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.stages.gaps.densify_range import STRUCT as RANGE
from atlas_rag.inprocess.mql.stages.gaps.densify_range import Range, read_range
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.shaping.unwind import plain_value
from atlas_rag.inprocess.mql.stages.sorting import compile_sort
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import MISSING, Document, compare, sort_key, type_name
from atlas_rag.inprocess.mql.values.row import Row

MAX_GENERATED = 500_000
_STRUCT = Struct({"field": "string", "range": RANGE, "partitionByFields": "strings"}, ("field", "range"))


@stage("$densify")
def densify(argument: Any, build: Build) -> Run:
    """Sorts by the field, within partitions if each has bounds of its own, and fills its gaps."""
    if not isinstance(argument, Mapping):
        kind = type_name(argument)
        raise CommandError(9, f"The $densify stage specification must be an object, found {kind}")
    given = _STRUCT.read("$densify", argument)
    field, partitions = given["field"], list(dict.fromkeys(given.get("partitionByFields", ())))
    steps = read_range(given["range"])
    for path in (*partitions, field):
        check_path(path)
    if steps.bounds == "partition" and not partitions:
        text = "One cannot specify the bounds as 'partition' without specifying a non-empty array of "
        raise CommandError(5733408, f"{text}partitionByFields. You may have meant to specify 'full' bounds.")
    by_partition = partitions if steps.bounds != "full" else []
    order = compile_sort(dict.fromkeys((*by_partition, field), 1), build.scope)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        series = _Series(field, partitions, steps)
        for row in order.sorted(rows):
            yield from series.before(row.doc)
            yield row
        yield from series.rest()

    return run


class _Series:
    """All partitions of one run, each with the value that it is to have next."""

    def __init__(self, field: str, partitions: list[str], steps: Range) -> None:
        self._path, self._steps = field.split("."), steps
        self._partitions = [path.split(".") for path in partitions]
        self._conflicts = any(_is_one_path(self._path, path) for path in self._partitions)
        self._next: dict[Any, Any] = {}
        self._values: dict[Any, list[Any]] = {}
        self._least: Any = MISSING
        self._greatest: Any = MISSING
        self._generated = 0

    def before(self, document: Document) -> Iterator[Row]:
        """Yields what the document's partition lacks below its value."""
        value = plain_value(document, self._path)
        if nullish(value) or self._is_complete():
            return
        self._steps.check(value)
        self._least = value if self._least is MISSING else self._least
        self._greatest = value
        values = [plain_value(document, path) for path in self._partitions]
        key = tuple(map(sort_key, values))
        if key not in self._next:
            self._values[key], self._next[key] = values, self._first(value)
        yield from self._while(key, values, lambda at: compare(at, value) < 0 and self._is_within(at))
        if compare(self._next[key], value) == 0:
            self._next[key] = self._steps.next(self._next[key])

    def rest(self) -> Iterator[Row]:
        """Yields what lies above the last document of each partition, where all have the same bounds."""
        if isinstance(self._steps.bounds, tuple):
            goes_on = self._is_within if not self._next else self._is_below
            if not self._next:
                self._values[()], self._next[()] = [], self._steps.bounds[0]
            for key, values in self._values.items():
                yield from self._while(key, values, goes_on)
        elif self._steps.bounds == "full" and self._partitions:
            for key, values in self._values.items():
                yield from self._while(key, values, lambda at: compare(at, self._greatest) <= 0)

    def _first(self, value: Any) -> Any:
        """Returns where the series of a partition begins that has just been met by its least value."""
        bounds = self._steps.bounds
        if bounds == "partition" or not (self._partitions or isinstance(bounds, tuple)):
            return value
        low = bounds[0] if isinstance(bounds, tuple) else self._least
        return low if compare(value, low) == 0 else self._steps.back_and_on(low)

    def _is_complete(self) -> bool:
        """Once the only series there is has reached its bound, the server looks at no further document."""
        return not self._partitions and () in self._next and not self._is_within(self._next[()])

    def _is_within(self, value: Any) -> bool:
        """Below a document, a series ends before its upper bound unless that is the lower one too."""
        bounds = self._steps.bounds
        return self._is_below(value) or (isinstance(bounds, tuple) and compare(value, bounds[0]) == 0)

    def _is_below(self, value: Any) -> bool:
        bounds = self._steps.bounds
        return not isinstance(bounds, tuple) or compare(value, bounds[1]) < 0

    def _while(
        self, key: tuple[Any, ...], values: Sequence[Any], goes_on: Callable[[Any], bool]
    ) -> Iterator[Row]:
        """Yields documents with a partition's values as they were met: 1 and 1.0 are of one partition."""
        while goes_on(self._next[key]):
            yield Row(self._document(values, self._next[key]))
            self._next[key] = self._steps.next(self._next[key])

    def _document(self, values: Sequence[Any], position: Any) -> Document:
        self._generated += 1
        if self._generated > MAX_GENERATED:
            text = f"Generated {self._generated} documents in $densify, which is over the limit of "
            advice = "Increase the 'internalQueryMaxAllowedDensifyDocs' parameter to allow more generated"
            raise CommandError(5897900, f"{text}{MAX_GENERATED}. {advice} documents")
        if self._conflicts:
            raise CommandError(5733306, "DocGenerator cannot include field that is being densified")
        document: dict[str, Any] = {}
        for path, value in zip(self._partitions, values, strict=False):
            _put(document, path, value)
        _put(document, self._path, position)
        return document


def _is_one_path(left: list[str], right: list[str]) -> bool:
    """True if one path is the other, or leads to it."""
    common = min(len(left), len(right))
    return left[:common] == right[:common]


def _put(document: dict[str, Any], path: list[str], value: Any) -> None:
    """Sets the value at a path; one that is missing leaves the documents that lead to it."""
    for name in path[:-1]:
        document = document.setdefault(name, {})
    if value is not MISSING:
        document[path[-1]] = value
