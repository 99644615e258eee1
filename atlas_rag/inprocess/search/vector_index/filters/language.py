"""The filter language of `$vectorSearch`, evaluated to a mask over document rows.

The parser (`grammar`) has accepted the filter before it comes here. Rules that differ from `$match`: an
equality with null finds explicit nulls only, never missing fields; comparisons stay within one type;
several operators on one field hold independently for arrays; every path must be indexed as a filter.
Source: MongoDB documentation, $vectorSearch filter; null, array and type rules measured on the real engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index.filters.columns import FilterColumn
from atlas_rag.inprocess.search.vector_index.growing import Array

_RANGES = ("$gt", "$gte", "$lt", "$lte")


class Columns:
    """Filter columns by path over one space of rows.

    Args:
        columns: the paths that these rows are indexed under.
        elsewhere: paths of the same index that other rows (parents, children) hold: legal, but empty here.
    """

    def __init__(self, columns: Mapping[str, FilterColumn], elsewhere: frozenset[str] = frozenset()) -> None:
        self._columns = columns
        self._elsewhere = elsewhere

    def find(self, path: str, *, null: bool = False) -> FilterColumn:
        """The column of a path; an empty one where other rows hold it or only nulls are asked for.

        Raises:
            EngineRefusal: the path is not indexed as a filter.
        """
        column = self._columns.get(path)
        if column is None:
            if not null and path not in self._elsewhere:
                raise EngineRefusal(f"Path '{path}' needs to be indexed as filter")
            return FilterColumn()
        return column


def matching(filters: Mapping[str, Any], columns: Columns, size: int) -> Array:
    """Which of `size` rows satisfy the filter document, as a mask.

    Raises:
        EngineRefusal: a path is not indexed as a filter.
    """
    mask = np.ones(size, bool)
    for name, value in filters.items():
        mask &= _clause(name, value, columns, size)
    return mask


def _clause(name: str, value: Any, columns: Columns, size: int) -> Array:
    if name == "$and":
        both: Array = np.logical_and.reduce([matching(each, columns, size) for each in value])
        return both
    if name in ("$or", "$nor"):
        found: Array = np.logical_or.reduce([matching(each, columns, size) for each in value])
        return ~found if name == "$nor" else found
    if isinstance(value, Mapping):
        return _operators(name, value, columns, size)
    return _operator(name, "$eq", value, columns, size)


def _operators(path: str, operators: Mapping[str, Any], columns: Columns, size: int) -> Array:
    mask = np.ones(size, bool)
    for operator, operand in operators.items():
        if operand is None and operator in ("$exists", "$not"):
            continue  # the parser reads a null option as an absent one
        mask &= _operator(path, operator, operand, columns, size)
    return mask


def _operator(path: str, operator: str, operand: Any, columns: Columns, size: int) -> Array:
    if operator == "$not":
        return ~_operators(path, operand, columns, size)
    if operator == "$ne":
        return ~_operator(path, "$eq", operand, columns, size)
    if operator == "$nin":
        return ~_operator(path, "$in", operand, columns, size)
    mask = np.zeros(size, bool)
    column = columns.find(path, null=operator == "$eq" and operand is None)
    if operator == "$exists":
        column.exist(mask)
        return mask if operand else ~mask
    if operator == "$in":
        for value in operand:
            column.equal(value, mask)
    elif operator in _RANGES:
        column.compare(operator, operand, mask)
    else:
        column.equal(operand, mask)
    return mask
