"""Stages that give each document another shape: `$project`, `$addFields`, `$unset`, `$replaceRoot`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Evaluate
from atlas_rag.inprocess.mql.stages.registry import Build, Run, each, stage
from atlas_rag.inprocess.mql.stages.shaping.projection import Node
from atlas_rag.inprocess.mql.stages.shaping.projection_parser import (
    parse_add_fields,
    parse_project,
    within_stage,
)
from atlas_rag.inprocess.mql.stages.structs import Struct
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.shown import shown

_REPLACE_ROOT = Struct({"newRoot": "any"}, required=("newRoot",))


def _applied(node: Node) -> Run:
    if not node.computes:
        read = node.reader()
        return lambda rows, variables: (Row(read(row.doc), row.meta) for row in rows)
    return each(lambda row, variables: Row(node.apply(row.doc, row, variables), row.meta))


@stage("$project", in_update=True)
def project(argument: Any, build: Build) -> Run:
    """Keeps, drops or computes fields."""
    if not isinstance(argument, Mapping):
        raise CommandError(15969, "$project specification must be an object")
    try:
        return _applied(parse_project(list(argument.items()), build.scope))
    except CommandError as error:
        raise within_stage("$project", error) from None


def _add_fields(name: str) -> None:
    @stage(name, in_update=True)
    def compile_stage(argument: Any, build: Build) -> Run:
        if not isinstance(argument, Mapping):
            text = f"{name} specification stage must be an object, got {type_name(argument)}"
            raise CommandError(40272, text)
        try:
            return _applied(parse_add_fields(argument, build.scope))
        except CommandError as error:
            raise within_stage(name, error) from None


_add_fields("$addFields")
_add_fields("$set")


@stage("$unset", in_update=True)
def unset(argument: Any, build: Build) -> Run:
    """Drops fields."""
    if not isinstance(argument, (str, list)):
        raise CommandError(31002, "$unset specification must be a string or an array")
    paths = argument if isinstance(argument, list) else [argument]
    if not paths:
        text = "$unset specification must be a string or an array with at least one field"
        raise CommandError(31119, text)
    if not all(isinstance(path, str) for path in paths):
        text = "$unset specification must be a string or an array containing only string values"
        raise CommandError(31120, text)
    try:
        return _applied(parse_project([(path, False) for path in paths], build.scope))
    except CommandError as error:
        raise within_stage("$unset", error) from None


def _replacement(expression: Evaluate, subject: str) -> Run:
    def replace(row: Row, variables: Any) -> Row:
        value = expression(row, variables)
        if not isinstance(value, Mapping):
            text = f"{subject} must evaluate to an object, but resulting value was: {shown(value)}."
            kind = f"Type of resulting value: '{type_name(value)}'."
            raise CommandError(40228, f"{text} {kind} Input document: {shown(dict(row.doc))}")
        return Row(value, row.meta)

    return each(replace)


@stage("$replaceRoot", in_update=True)
def replace_root(argument: Any, build: Build) -> Run:
    """Puts a sub-document, or a computed one, in the document's place."""
    if not isinstance(argument, Mapping):
        text = f"expected an object as specification for $replaceRoot stage, got {type_name(argument)}"
        raise CommandError(40229, text)
    new_root = _REPLACE_ROOT.read("$replaceRoot", argument)["newRoot"]
    return _replacement(compile_expression(new_root, build.scope), "'newRoot' expression ")


@stage("$replaceWith", in_update=True)
def replace_with(argument: Any, build: Build) -> Run:
    """`$replaceRoot` without the `newRoot`."""
    return _replacement(compile_expression(argument, build.scope), "'replacement document' ")
