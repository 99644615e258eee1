"""`$unwind`: one document per element of an array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bson import Int64

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import MISSING, Document, type_name
from atlas_rag.inprocess.mql.values.paths import closed, opened
from atlas_rag.inprocess.mql.values.row import Row


class _Options(NamedTuple):
    path: list[str]
    index_path: list[str] | None
    keeps_empty: bool


@stage("$unwind")
def unwind(argument: Any, build: Build) -> Run:
    """Replaces an array by its elements, one document each."""
    options = _options(argument)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        for row in rows:
            for document in _unwound(row.doc, options):
                yield Row(document, row.meta)

    return run


def _unwound(document: Document, options: _Options) -> Iterator[Document]:
    value = plain_value(document, options.path)
    if isinstance(value, list):
        for position, item in enumerate(value):
            yield _numbered(with_value(document, options.path, item), options, Int64(position))
        if value or not options.keeps_empty:
            return
        document = with_value(document, options.path, MISSING)
    if (value is not None and value is not MISSING and value != []) or options.keeps_empty:
        yield _numbered(document, options, None)


def _numbered(document: Document, options: _Options, position: int | None) -> Document:
    return with_value(document, options.index_path, position) if options.index_path else document


def plain_value(document: Document, path: list[str]) -> Any:
    """Returns what a path leads to through documents alone; arrays on the way end it."""
    value: Any = document
    for name in path:
        value = opened(value)
        if not isinstance(value, dict):
            return MISSING
        value = value.get(name, MISSING)
    return value


def with_value(document: Document, path: list[str], value: Any) -> dict[str, Any]:
    """Returns a copy of the document in which one path has a value; `MISSING` removes it."""
    name, rest = path[0], path[1:]
    result = dict(document)
    if rest:
        below = opened(result.get(name))
        if value is MISSING and not isinstance(below, dict):
            return result
        value = closed(with_value(below if isinstance(below, dict) else {}, rest, value))
    if value is MISSING:
        result.pop(name, None)
    else:
        result[name] = value
    return result


def _options(argument: Any) -> _Options:
    if isinstance(argument, str):
        argument = {"path": argument}
    if not isinstance(argument, Mapping):
        kind = type_name(argument)
        text = f"expected either a string or an object as specification for $unwind stage, got {kind}"
        raise CommandError(15981, text)
    for name, value in argument.items():
        _check_option(name, value)
    path, index = argument.get("path", ""), argument.get("includeArrayIndex")
    if not path:
        raise CommandError(28812, "no path specified to $unwind stage")
    if not path.startswith("$"):
        raise CommandError(28818, f"path option to $unwind stage should be prefixed with a '$': {path}")
    check_path(path[1:])
    if index is not None:
        check_path(index)
    keeps_empty = bool(argument.get("preserveNullAndEmptyArrays", False))
    return _Options(path[1:].split("."), index.split(".") if index else None, keeps_empty)


def _check_option(name: str, value: Any) -> None:
    if name == "path":
        if not isinstance(value, str):
            text = f"expected a string as the path for $unwind stage, got {type_name(value)}"
            raise CommandError(28808, text)
    elif name == "preserveNullAndEmptyArrays":
        if not isinstance(value, bool):
            text = f"expected a boolean for the {name} option to $unwind stage, got {type_name(value)}"
            raise CommandError(28809, text)
    elif name == "includeArrayIndex":
        _check_index(value)
    else:
        raise CommandError(28811, f"unrecognized option to $unwind stage: {name}")


def _check_index(value: Any) -> None:
    if not isinstance(value, str) or not value:
        option = f"includeArrayIndex  option to $unwind stage, got {type_name(value)}"
        raise CommandError(28810, f"expected a non-empty string for the {option}")
    if value.startswith("$"):
        option = "includeArrayIndex option to $unwind stage should not be prefixed with a '$'"
        raise CommandError(28822, f"{option}: {value}")
