"""The projection of `find`: that of `$project`, and `$slice`, `$elemMatch` and `.$` besides."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.stages.executor import compile_aggregate
from atlas_rag.inprocess.mql.update.position import position_finder
from atlas_rag.inprocess.mql.values import MISSING, numbers, type_name
from atlas_rag.inprocess.mql.values.row import Row

Document = dict[str, Any]
Project = Callable[[Row], Document]
# Takes the whole document before the projection and a field's value; returns MISSING to leave it out.
Special = Callable[[Mapping[str, Any], Any], Any]

_PREFIX = "Invalid $project :: caused by :: "


def compile_find_projection(
    projection: Mapping[str, Any], query: Mapping[str, Any], context: Context
) -> Project:
    """Returns the projection as a function on rows.

    Raises:
        CommandError: 31276 two positional fields, 31395 positional exclusion, 31275 and 31274 `$elemMatch`,
            and what `$project` says.
    """
    if not projection:
        return lambda row: row.doc  # type: ignore[return-value]
    plain: Document = {}
    specials: dict[str, Special] = {}
    slices = 0
    for path, value in projection.items():
        if path.endswith(".$"):
            _check_positional(path, value, projection)
            specials[path[:-2]] = _positional(query)
        elif _is_find_slice(value):
            specials[path] = _slice(value["$slice"])
            slices += 1
        elif isinstance(value, Mapping) and next(iter(value), "") == "$elemMatch":
            specials[path] = _element(path, value["$elemMatch"])
        else:
            plain[path] = value
    if _includes(plain) or not (slices or set(plain) - {"_id"}):
        plain |= {path: 1 for path in specials if path not in plain}
    return _combined(_compile_plain(plain, context), specials)


def _includes(plain: Mapping[str, Any]) -> bool:
    """Whether some field beside `_id` is included or computed."""
    return any(
        path != "_id" and not (isinstance(value, (bool, int, float)) and not value)
        for path, value in plain.items()
    )


def _compile_plain(plain: Document, context: Context) -> Callable[[Row], Mapping[str, Any]]:
    if not plain:
        return lambda row: row.doc
    try:
        compiled = compile_aggregate([{"$project": plain}], context, None)
    except CommandError as error:
        raise CommandError(error.code, error.message.removeprefix(_PREFIX), error.code_name) from None
    variables = context.system_variables()
    return lambda row: next(compiled.run_on(iter([row]), variables)).doc


def _combined(plain: Callable[[Row], Mapping[str, Any]], specials: Mapping[str, Special]) -> Project:
    def project(row: Row) -> Document:
        document = plain(row)
        for path, special in specials.items():
            document = _at(document, path.split("."), partial(special, row.doc))
        return document  # type: ignore[return-value]

    return project


def _at(document: Mapping[str, Any], path: list[str], change: Callable[[Any], Any]) -> Mapping[str, Any]:
    """Returns the document with one field changed; arrays on the way are gone through."""
    name = path[0]
    value = document.get(name, MISSING)
    if value is MISSING:
        return document
    new = change(value) if len(path) == 1 else _inside(value, path[1:], change)
    if new is MISSING:
        return {key: other for key, other in document.items() if key != name}
    return {**document, name: new}


def _inside(value: Any, path: list[str], change: Callable[[Any], Any]) -> Any:
    if isinstance(value, Mapping):
        return _at(value, path, change)
    if isinstance(value, list):
        return [_inside(item, path, change) for item in value]
    return value


def _check_positional(path: str, value: Any, projection: Mapping[str, Any]) -> None:
    if sum(other.endswith(".$") for other in projection) > 1:
        raise CommandError(31276, "Cannot specify more than one positional projection per query.")
    if not value:
        raise CommandError(31395, "positional projection cannot be used with exclusion")


def _positional(query: Mapping[str, Any]) -> Special:
    find = position_finder(query)

    def special(document: Mapping[str, Any], value: Any) -> Any:
        position = find(document)
        if position is None or (isinstance(value, list) and position >= len(value)):
            text = "positional operator '.$' couldn't find a matching element in the array"
            raise CommandError(51246, text)
        return [value[position]] if isinstance(value, list) else value

    return special


def _is_find_slice(value: Any) -> bool:
    """Whether this is `find`'s own `$slice`: a count or [skip, count]; the expression has an array first."""
    if not isinstance(value, Mapping) or next(iter(value), "") != "$slice":
        return False
    argument = value["$slice"]
    parts = argument if isinstance(argument, list) else [argument]
    pair = not isinstance(argument, list) or len(argument) == 2
    whole = all(numbers.whole(part) is not None for part in parts)
    return pair and whole and not (len(parts) == 2 and parts[1] <= 0)


def _slice(argument: Any) -> Special:
    if isinstance(argument, list):
        skip, count = (numbers.whole(part) or 0 for part in argument)
    else:
        count = numbers.whole(argument) or 0
        skip, count = (count, -count) if count < 0 else (0, count)

    def special(_: Mapping[str, Any], value: Any) -> Any:
        if not isinstance(value, list):
            return value
        start = max(len(value) + skip, 0) if skip < 0 else skip
        return value[start : start + count]

    return special


def _element(path: str, condition: Any) -> Special:
    if not isinstance(condition, Mapping):
        raise CommandError(
            31274, f"elemMatch: Invalid argument, object required, but got {type_name(condition)}"
        )
    if "." in path:
        raise CommandError(31275, "Cannot use $elemMatch projection on a nested field.")
    matches = compile_filter({"": {"$elemMatch": condition}})

    def special(_: Mapping[str, Any], value: Any) -> Any:
        if isinstance(value, list):
            for item in value:
                if matches({"": [item]}):
                    return [item]
        return MISSING

    return special
