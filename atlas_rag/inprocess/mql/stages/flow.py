"""Stages that choose, order or count documents: `$match`, `$sort`, `$limit`, `$skip`, `$sample`, `$count`."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import non_negative_integer
from atlas_rag.inprocess.mql.match.text import NO_TEXT_INDEX
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.row_filter import RowFilter
from atlas_rag.inprocess.mql.stages.sorting import compile_sort
from atlas_rag.inprocess.mql.values.numbers import rounded
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import INT64_MAX, is_number


@stage("$match")
def match(argument: Any, build: Build) -> Run:
    """Keeps the documents that a filter matches."""
    if not isinstance(argument, Mapping):
        raise CommandError(15959, "the match filter must be an expression in an object")
    try:
        wanted = RowFilter(argument, build.scope)
    except CommandError as error:
        return _without_text_index(error, build)
    if wanted.has_expressions:
        return lambda rows, variables: (row for row in rows if wanted.keeps(row, variables))
    predicate = wanted.predicate
    return lambda rows, _: (row for row in rows if predicate(row.doc))


def _without_text_index(error: CommandError, build: Build) -> Run:
    """Returns a stage that fails when it is run: an index is looked for once all stages are compiled."""
    if error.code != NO_TEXT_INDEX[0]:
        raise error
    if build.position > 0:
        raise CommandError(17313, "$match with $text is only allowed as the first pipeline stage")

    def run(rows: Rows, variables: dict[str, Any]) -> Rows:
        raise error

    return run


def _whole_argument(name: str, code: int, argument: Any) -> int:
    try:
        return non_negative_integer(name, argument)
    except CommandError as error:
        raise CommandError(code, f"invalid argument to {name} stage: {error.message}") from None


@stage("$limit")
def limit(argument: Any, build: Build) -> Run:
    """Keeps the first documents."""
    most = _whole_argument("$limit", 5107201, argument)
    if most == 0:
        raise CommandError(15958, "the limit must be positive")
    return lambda rows, _: islice(rows, min(most, INT64_MAX))


@stage("$skip")
def skip(argument: Any, build: Build) -> Run:
    """Drops the first documents."""
    count = _whole_argument("$skip", 5107200, argument)
    return lambda rows, _: islice(rows, count, None)


@stage("$sort")
def sort(argument: Any, build: Build) -> Run:
    """Orders documents; only as many as a limit right behind it asks for are held."""
    order = compile_sort(argument, build.scope)
    most = _following_limit(build.rest)
    build.add_metadata("sortKey")

    def in_order(rows: Rows) -> list[Row]:
        if most is None or not order.is_single:
            return order.sorted(rows)
        if order.descending:
            return heapq.nlargest(most, rows, key=order.key)
        return heapq.nsmallest(most, rows, key=order.key)

    keyed = _asks_for_sort_key(build.rest)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        for row in in_order(rows):
            yield Row(row.doc, {**row.meta, "sortKey": order.values(row)}) if keyed else row

    return run


def _asks_for_sort_key(value: Any) -> bool:
    """Whether `{$meta: "sortKey"}` stands anywhere in the stages that follow; few pay for keys otherwise."""
    if isinstance(value, Mapping):
        return value.get("$meta") == "sortKey" or any(map(_asks_for_sort_key, value.values()))
    return isinstance(value, list) and any(map(_asks_for_sort_key, value))


def _following_limit(rest: list[dict[str, Any]]) -> int | None:
    most = rest[0].get("$limit") if rest else None
    return most if isinstance(most, int) and most > 0 else None


@stage("$sample")
def sample(argument: Any, build: Build) -> Run:
    """Picks documents at random."""
    if not isinstance(argument, Mapping):
        raise CommandError(28745, "the $sample stage specification must be an object")
    for name, value in argument.items():
        if name != "size":
            raise CommandError(28748, f"unrecognized option to $sample: {name}")
        if not is_number(value):
            raise CommandError(28746, "size argument to $sample must be a number")
    if "size" not in argument:
        raise CommandError(28749, "$sample stage must specify a size")
    size = rounded(argument["size"])
    if size < 0:
        raise CommandError(28747, "size argument to $sample must not be negative")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        chosen = list(rows)
        yield from random.sample(chosen, min(size, len(chosen)))

    return run


@stage("$count")
def count(argument: Any, build: Build) -> Run:
    """One document with the number of documents, none if there are none."""
    name = _checked_count_field(argument)
    build.forget_metadata()

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        total = sum(1 for _ in rows)
        if total:
            yield Row({name: total})

    return run


def _checked_count_field(argument: Any) -> str:
    if not isinstance(argument, str):
        raise CommandError(40156, "the count field must be a non-empty string")
    if not argument:
        raise CommandError(40157, "the count field must be a non-empty string")
    if argument.startswith("$"):
        raise CommandError(40158, "the count field cannot be a $-prefixed path")
    if "\0" in argument:
        raise CommandError(40159, "the count field cannot contain a null byte")
    if "." in argument:
        raise CommandError(40160, "the count field cannot contain '.'")
    if argument == "_id":
        raise CommandError(15948, "a group's _id may only be specified once")
    return argument
