"""Expressions evaluated once per array element: `$map`, `$filter`, `$reduce`, `$zip`, `$sortArray`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import zip_longest
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched
from atlas_rag.inprocess.mql.expressions.arguments import check_names, named, read_in_order, require
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.define import compile_operands, special, unfolded_call
from atlas_rag.inprocess.mql.expressions.fields import check_variable_name
from atlas_rag.inprocess.mql.expressions.operands import nullish
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Scope
from atlas_rag.inprocess.mql.values import MISSING, is_truthy, type_name
from atlas_rag.inprocess.mql.values.numbers import is_int32, to_decimal
from atlas_rag.inprocess.mql.values.shown import shown
from atlas_rag.inprocess.mql.values.sorting import sort_values
from atlas_rag.inprocess.mql.values.types import is_number


@special("$map")
def map_each(argument: Any, scope: Scope) -> Evaluate:
    """An expression's value for each element; a missing one becomes null."""
    given = named(argument, 16878, "$map only supports an object as its argument")
    check_names(given, ("input", "as", "in"), (16879, "Unrecognized parameter to $map: {}"))
    require(given, "Missing '{}' parameter to $map", {"input": 16880, "in": 16882})
    items = compile_expression(given["input"], scope)
    name = _element_name(given)
    body = compile_expression(given["in"], scope.with_variables(name))

    def evaluate(row: Any, variables: Any) -> Any:
        array = items(row, variables)
        if nullish(array):
            return None
        if not isinstance(array, list):
            raise CommandError(16883, f"input to $map must be an array not {type_name(array)}")
        values = (body(row, {**variables, name: item}) for item in watched(array))
        return [None if value is MISSING else value for value in values]

    return evaluate


def _element_name(given: Mapping[str, Any]) -> str:
    name = given.get("as", "this")
    # The server reads what is no string as an empty one.
    check_variable_name(name if isinstance(name, str) else "")
    return str(name)


@special("$filter")
def filter_each(argument: Any, scope: Scope) -> Evaluate:
    """The elements for which a condition is true, the first `limit` of them."""
    given = named(argument, 28646, "$filter only supports an object as its argument")
    check_names(given, ("input", "as", "cond", "limit"), (28647, "Unrecognized parameter to $filter: {}"))
    require(given, "Missing '{}' parameter to $filter", {"input": 28648, "cond": 28650})
    items = compile_expression(given["input"], scope)
    name = _element_name(given)
    condition = compile_expression(given["cond"], scope.with_variables(name))
    limit = compile_expression(given.get("limit"), scope)

    def evaluate(row: Any, variables: Any) -> Any:
        array = items(row, variables)
        if nullish(array):
            return None
        if not isinstance(array, list):
            raise CommandError(28651, f"input to $filter must be an array not {type_name(array)}")
        if not array:
            return []
        most = _filter_limit(limit(row, variables))
        kept: list[Any] = []
        for item in watched(array):
            if is_truthy(condition(row, {**variables, name: item})):
                kept.append(item)
                if len(kept) == most:
                    break
        return kept

    return evaluate


def _filter_limit(value: Any) -> int | None:
    if nullish(value):
        return None
    if not is_int32(value):
        text = f"$filter: limit must be represented as a 32-bit integral value: {shown(value)}"
        raise CommandError(327391, text)
    limit = int(to_decimal(value))
    if limit <= 0:
        raise CommandError(327392, f"$filter: limit must be greater than 0: {limit}")
    return limit


@special("$reduce")
def reduce_all(argument: Any, scope: Scope) -> Evaluate:
    """Folds an array into one value, element after element."""
    codes = {"input": 40077, "initialValue": 40078, "in": 40079}
    given = named(argument, 40075, "$reduce requires an object as an argument, found: {}")
    readers: dict[str, Callable[[Any], Evaluate]] = {
        "input": lambda value: compile_expression(value, scope),
        "initialValue": lambda value: compile_expression(value, scope),
        "in": lambda value: compile_expression(value, scope.with_variables("this", "value")),
    }
    compiled = read_in_order(given, readers, (40076, "$reduce found an unknown argument: {}"))
    require(given, "$reduce requires '{}' to be specified", codes)
    items, initial, body = (compiled[name] for name in codes)

    def evaluate(row: Any, variables: Any) -> Any:
        array = items(row, variables)
        if nullish(array):
            return None
        if not isinstance(array, list):
            raise CommandError(40080, f"$reduce requires that 'input' be an array, found: {shown(array)}")
        value = initial(row, variables)
        for item in watched(array):
            value = body(row, {**variables, "this": item, "value": value})
        return value

    return evaluate


@special("$zip")
def zip_arrays(argument: Any, scope: Scope) -> Evaluate:
    """Arrays of the first, second, ... elements of several arrays."""
    inputs, fillers, longest = _zip_parts(argument, scope)

    def evaluate(row: Any, variables: Any) -> Any:
        arrays = []
        for item in inputs:
            array = item(row, variables)
            if nullish(array):
                return None
            if not isinstance(array, list):
                raise CommandError(34468, f"$zip found a non-array expression in input: {shown(array)}")
            arrays.append(array)
        if not longest:
            return [list(group) for group in zip(*arrays, strict=False)]
        filled = [filler(row, variables) for filler in fillers] or [None] * len(arrays)
        filled = [None if value is MISSING else value for value in filled]
        groups = zip_longest(*arrays, fillvalue=MISSING)
        return [
            [default if item is MISSING else item for item, default in zip(group, filled, strict=True)]
            for group in groups
        ]

    return evaluate


def _zip_parts(argument: Any, scope: Scope) -> tuple[list[Evaluate], list[Evaluate], bool]:
    readers: dict[str, Callable[[Any], Any]] = {
        "inputs": lambda items: _zip_operands("inputs", 34461, items, scope),
        "defaults": lambda items: _zip_operands("defaults", 34462, items, scope),
        "useLongestLength": _zip_flag,
    }
    given = named(argument, 34460, "$zip only supports an object as an argument, found {}")
    read = read_in_order(given, readers, (34464, "$zip found an unknown argument: {}"))
    inputs, defaults = read.get("inputs", []), read.get("defaults", [])
    longest = read.get("useLongestLength", False)
    if not inputs:
        raise CommandError(34465, "$zip requires at least one input array")
    if defaults and not longest:
        raise CommandError(34466, "cannot specify defaults unless useLongestLength is true")
    if defaults and len(defaults) != len(inputs):
        raise CommandError(34467, "defaults and inputs must have the same length")
    return inputs, defaults, longest


def _zip_operands(name: str, code: int, items: Any, scope: Scope) -> list[Evaluate]:
    if not isinstance(items, list):
        raise CommandError(code, f"{name} must be an array of expressions, found {type_name(items)}")
    return compile_operands(items, scope)


def _zip_flag(value: Any) -> bool:
    if not isinstance(value, bool):
        # The server names the type of the whole argument here.
        raise CommandError(34463, "useLongestLength must be a bool, found object")
    return value


@special("$sortArray")
def sort_array(argument: Any, scope: Scope) -> Evaluate:
    """The elements in order: of their own (`sortBy: 1`) or of their fields (`sortBy: {a: 1}`)."""
    given = named(argument, 2942500, "$sortArray requires an object as an argument, found: {}")
    readers: dict[str, Callable[[Any], Any]] = {
        "input": lambda value: compile_expression(value, scope),
        "sortBy": _sort_pattern,
    }
    read = read_in_order(given, readers, (2942501, "$sortArray found an unknown argument: {}"))
    require(given, "$sortArray requires '{}' to be specified", {"input": 2942502, "sortBy": 2942503})
    items, pattern = read["input"], read["sortBy"]

    def apply(items: Any) -> Any:
        if nullish(items):
            return None
        if not isinstance(items, list):
            text = f"must be an array, but was of type: {type_name(items)}"
            raise CommandError(2942504, f"The input argument to $sortArray {text}")
        return sort_values(items, pattern)

    return unfolded_call(apply, [items])


def _sort_pattern(pattern: Any) -> int | dict[str, int]:
    """Returns what to sort by: 1, -1 or a document of paths. Raises 2942505, 2942506, 2942507."""
    if isinstance(pattern, Mapping):
        _check_sort_fields(pattern)
        return {path: int(to_decimal(direction)) for path, direction in pattern.items()}
    if not is_number(pattern):
        text = "use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields"
        raise CommandError(2942507, f"The $sort is invalid: {text}")
    if to_decimal(pattern) not in (1, -1):
        raise CommandError(2942506, "The $sort element value must be either 1 or -1")
    return int(to_decimal(pattern))


def _check_sort_fields(pattern: Mapping[str, Any]) -> None:
    problems = (_sort_field_problem(path, direction) for path, direction in pattern.items())
    empty = None if pattern else "The sort pattern is empty when it should be a set of fields."
    if problem := next(filter(None, problems), empty):
        raise CommandError(2942505, f"BadValue: {problem}")


def _sort_field_problem(path: str, direction: Any) -> str | None:
    if not is_number(direction) or to_decimal(direction) not in (1, -1):
        return "The sort element value must be either 1 or -1"
    if not path:
        return "The sort field cannot be empty"
    if "" in path.split("."):
        return f"The sort field is a dotted field but has an empty part: {path}"
    return None
