"""`$graphLookup`: documents reached from a value, link after link."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from bson import Int64

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import watched, watched_rows
from atlas_rag.inprocess.mql.expressions.arguments import read_in_order
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.scope import FoldingError
from atlas_rag.inprocess.mql.match.paths import values_on
from atlas_rag.inprocess.mql.stages.joining.equality import path_values
from atlas_rag.inprocess.mql.stages.joining.foreign import foreign_collection
from atlas_rag.inprocess.mql.stages.registry import Build, Run, each, stage
from atlas_rag.inprocess.mql.stages.row_filter import RowFilter
from atlas_rag.inprocess.mql.stages.shaping.unwind import with_value
from atlas_rag.inprocess.mql.values import MISSING, Document, sort_key, type_name
from atlas_rag.inprocess.mql.values.numbers import rounded, whole
from atlas_rag.inprocess.mql.values.order import Key
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field

_REQUIRED = ("from", "as", "startWith", "connectFromField", "connectToField")
_PATHS = ("as", "connectFromField", "connectToField")


def _pipelines(argument: Any) -> Iterable[list[Any]]:
    """There are none inside, but the collection is looked at when those of other stages are."""
    if not isinstance(argument, Mapping):
        text = f"must be an object, but found {type_name(argument)}"
        raise CommandError(9, f"the $graphLookup stage specification {text}")
    if "from" not in argument:
        text = f"missing 'from' option to $graphLookup stage specification: {render_field('', argument)[2:]}"
        raise CommandError(9, text)
    foreign_collection("$graphLookup", argument["from"])
    return ()


class _Graph(NamedTuple):
    """The documents of a collection, and which of them each value leads to."""

    documents: list[Document]
    reached_by: Mapping[Key, list[int]]


@stage("$graphLookup", pipelines=_pipelines)
def graph_lookup(argument: Any, build: Build) -> Run:
    """Adds all documents that a chain of links leads to; each once, at its least depth, nearest first."""
    options = _options(argument, build)
    start, deepest = options["startWith"], options.get("maxDepth")
    wanted = options.get("restrictSearchWithMatch")
    path, connect_from, connect_to = (options[name].split(".") for name in _PATHS)
    depth_path = options["depthField"].split(".") if "depthField" in options else None
    graphs: list[_Graph] = []

    def attach(row: Row, variables: Mapping[str, Any]) -> Row:
        if not graphs:
            documents = _documents(options["from"], build)
            kept = [each for each in documents if wanted is None or wanted.keeps(Row(each), variables)]
            graphs.append(_graph(kept, connect_to))
        value = start(row, variables)
        frontier = value if isinstance(value, list) else [] if value is MISSING else [value]
        found = _walk(graphs[0], frontier, connect_from, deepest)
        reached = [
            with_value(document, depth_path, Int64(depth)) if depth_path else document
            for document, depth in found
        ]
        return Row(with_value(row.doc, path, reached), row.meta)

    return each(attach)


def _documents(name: str, build: Build) -> Iterable[Document]:
    collection = build.context.database.collection(name)
    return collection.documents() if collection is not None else ()


def _graph(documents: list[Document], connect_to: list[str]) -> _Graph:
    reached_by: dict[Key, list[int]] = defaultdict(list)
    for position, document in enumerate(watched(documents)):
        for value in values_on(document, connect_to, look_into_leaf=True):
            if value is not MISSING:
                reached_by[sort_key(value)].append(position)
    return _Graph(documents, reached_by)


def _walk(
    graph: _Graph, frontier: Iterable[Any], connect_from: list[str], deepest: int | None
) -> list[tuple[Document, int]]:
    """Returns the documents in reach with their depth, by breadth first."""
    depths: dict[int, int] = {}
    depth = 0
    while deepest is None or depth <= deepest:
        keys = {sort_key(value): None for value in frontier}
        positions = [
            at for key in watched_rows(keys) for at in graph.reached_by.get(key, ()) if at not in depths
        ]
        if not positions:
            break
        depths.update(dict.fromkeys(positions, depth))
        frontier = [
            value for at in watched(positions) for value in path_values(graph.documents[at], connect_from)
        ]
        depth += 1
    return [(graph.documents[at], depth) for at, depth in depths.items()]


def _options(argument: Mapping[str, Any], build: Build) -> dict[str, Any]:
    """Returns the options as the stage uses them, each read as it comes."""
    readers = {name: partial(read, name, build) for name, read in _READERS.items()}
    options = read_in_order(argument, readers, (40104, "Unknown argument to $graphLookup: {}"))
    if any(options.get(name, "") == "" for name in _REQUIRED):
        names = "'from', 'as', 'startWith', 'connectFromField', and 'connectToField'"
        raise CommandError(40105, f"$graphLookup requires {names} to be specified.")
    for name in _PATHS:
        check_path(options[name])
    return options


def _text(name: str, build: Build, value: Any) -> str:
    if isinstance(value, Mapping):
        raise CommandError(13111, f"wrong type for field ({name}) object != string")
    if not isinstance(value, str):
        raise CommandError(40103, f"expected string as argument for {name}, found: {type_name(value)}")
    return value


def _path(name: str, build: Build, value: Any) -> str:
    path = _text(name, build, value)
    check_path(path)
    return path


def _filter(name: str, build: Build, value: Any) -> RowFilter:
    if not isinstance(value, Mapping):
        raise CommandError(40185, f"{name} must be an object, found {type_name(value)}")
    try:
        return RowFilter(value, build.scope)
    except FoldingError:
        raise
    except CommandError as error:
        raise error.within(f"Failed to parse '{name}' option to $graphLookup") from None


def _depth(name: str, build: Build, value: Any) -> int:
    if not is_number(value):
        raise CommandError(40100, f"{name} must be numeric, found type: {type_name(value)}")
    depth = rounded(value)
    if depth < 0:
        raise CommandError(40101, f"{name} requires a nonnegative argument, found: {depth}")
    if depth != whole(value):
        raise CommandError(40102, f"{name} could not be represented as a long long: {depth}")
    return depth


_READERS: dict[str, Callable[[str, Build, Any], Any]] = {
    "from": lambda _, build, value: value,
    "startWith": lambda _, build, value: compile_expression(value, build.scope),
    "maxDepth": _depth,
    "restrictSearchWithMatch": _filter,
    "depthField": _path,
    **dict.fromkeys(_PATHS, _text),
}
