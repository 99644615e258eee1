"""The values that documents hold at one filter path."""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np

from atlas_rag.inprocess.search.vector_index.filters.brackets import Bracket
from atlas_rag.inprocess.search.vector_index.filters.kinds import TypeBracket, comparable
from atlas_rag.inprocess.search.vector_index.growing import Array

_DTYPES: dict[TypeBracket, Any] = {"number": np.float64, "date": np.int64}


class FilterColumn:
    """Values by type; arrays count element by element, at any depth.

    A path that is present at all is remembered apart from its values: `$exists` is true for a null and for a
    value of a type that no filter can compare.
    """

    def __init__(self) -> None:
        self._brackets: dict[TypeBracket, Bracket] = {}
        self._nulls = array("i")
        self._present = array("i")

    def put(self, row: int, value: Any) -> None:
        """Indexes a value that a document holds at the path; documents come one after the other."""
        if not self._present or self._present[-1] != row:
            self._present.append(row)
        self._put(row, value)

    def equal(self, value: Any, mask: Array) -> None:
        """Marks the rows that hold this value; None stands for an explicit null."""
        if value is None:
            mask[np.frombuffer(self._nulls, np.int32)] = True
        elif (key := comparable(value)) is not None:
            self._mark(key[0], key[1], key[1], mask)

    def compare(self, operator: str, value: Any, mask: Array) -> None:
        """Marks the rows with a value `$gt`, `$gte`, `$lt` or `$lte` this one, within its type."""
        key = comparable(value)
        if key is None:
            return
        inclusive = operator.endswith("e")
        if operator.startswith("$g"):
            self._mark(key[0], key[1], None, mask, low_in=inclusive)
        else:
            self._mark(key[0], None, key[1], mask, high_in=inclusive)

    def exist(self, mask: Array) -> None:
        """Marks the rows that have the path at all."""
        mask[np.frombuffer(self._present, np.int32)] = True

    def keep(self, kept: Array, renumbered: Array) -> None:
        """Forgets rows that are not kept (a mask); `renumbered` maps old row numbers to new."""
        for bracket in self._brackets.values():
            bracket.keep(kept, renumbered)
        self._nulls = _kept(self._nulls, kept, renumbered)
        self._present = _kept(self._present, kept, renumbered)

    def dump(self) -> dict[str, Any]:
        """What `load` needs, as values that BSON can hold."""
        brackets = {name: bracket.dump() for name, bracket in self._brackets.items()}
        return {"brackets": brackets, "nulls": self._nulls.tobytes(), "present": self._present.tobytes()}

    def load(self, parts: dict[str, Any]) -> None:
        """Fills an empty column with what `dump` gave."""
        for name, bracket in parts["brackets"].items():
            self._new_bracket(name).load(bracket)
        self._nulls.frombytes(parts["nulls"])
        self._present.frombytes(parts["present"])

    def _put(self, row: int, value: Any) -> None:
        if isinstance(value, list):
            for item in value:
                self._put(row, item)
        elif value is None:
            self._nulls.append(row)
        elif (key := comparable(value)) is not None:
            (self._brackets.get(key[0]) or self._new_bracket(key[0])).add(key[1], row)

    def _new_bracket(self, name: TypeBracket) -> Bracket:
        bracket = self._brackets[name] = Bracket(_DTYPES.get(name))
        return bracket

    def _mark(self, name: TypeBracket, low: Any, high: Any, mask: Array, **bounds: bool) -> None:
        bracket = self._brackets.get(name)
        for rows in bracket.between(low, high, **bounds) if bracket else ():
            mask[rows] = True


def _kept(rows: array[int], kept: Array, renumbered: Array) -> array[int]:
    numbers = np.frombuffer(rows, np.int32)
    return array("i", renumbered[numbers[kept[numbers]]].astype(np.int32).tobytes())
