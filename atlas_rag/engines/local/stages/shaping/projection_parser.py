"""Reads the arguments of `$project` and `$addFields` into projection trees."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.engines.local.expressions.compiler import compile_expression, compile_operator, is_known
from atlas_rag.engines.local.expressions.fields import check_path
from atlas_rag.engines.local.expressions.scope import LateError, Scope
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render, render_field
from atlas_rag.engines.local.stages.shaping.projection import DROP, KEEP, Node
from atlas_rag.engines.local.values.types import is_number

_FIND_ONLY = ("$elemMatch",)


def parse_project(specification: Sequence[tuple[str, Any]], scope: Scope) -> Node:
    """Returns the projection of a `$project` argument, given as pairs of path and action.

    Raises:
        CommandError: code 51272 (empty), 31249 and 31250 (paths that collide), 31253 and 31254 (keeping and
            dropping mixed), 31310 (an expression among dropped fields), 31325 (unknown expression).
    """
    if not specification:
        raise CommandError(51272, "projection specification must have at least one field")
    return _ProjectParser(scope).parse(specification)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or is_number(value)


class _ProjectParser:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._drops: bool | None = None
        self._paths: list[tuple[str, Any]] = []
        self._id: Any = None

    def parse(self, specification: Sequence[tuple[str, Any]]) -> Node:
        for name, value in specification:
            self._read(name, value)
        drops = self._drops if self._drops is not None else self._id is False
        root = Node(keeps_others=drops)
        if not drops and self._id is None and "_id" not in (path.split(".")[0] for path, _ in self._paths):
            root.fields["_id"] = KEEP
        if drops and self._id is False:
            root.fields["_id"] = DROP
        for path, action in self._paths:
            root.place(path, action)
        if not drops and self._id is True:
            root.fields.setdefault("_id", KEEP)
        return root.finish()

    def _read(self, path: str, value: Any) -> None:
        check_path(path)
        if _is_flag(value):
            self._flag(path, bool(value) if isinstance(value, bool) else _non_zero(value))
        elif isinstance(value, Mapping) and not next(iter(value), "$").startswith("$"):
            self._nested(path, value)
        elif isinstance(value, Mapping) and not value:
            text = "An empty sub-projection is not a valid value. Found empty object at path"
            raise CommandError(51270, text)
        else:
            self._expression(path, value)

    def _nested(self, path: str, value: Mapping[str, Any]) -> None:
        for name, below in value.items():
            if name.startswith("$"):
                check_path(name)
            self._read(f"{path}.{name}", below)

    def _flag(self, path: str, keep: bool) -> None:
        if path == "_id":
            self._check_collision(path)
            self._id = keep
            return
        if self._drops is None:
            self._drops = not keep
        elif self._drops and keep:
            raise CommandError(31253, f"Cannot do inclusion on field {path} in exclusion projection")
        elif not self._drops and not keep:
            raise CommandError(31254, f"Cannot do exclusion on field {path} in inclusion projection")
        self._add(path, KEEP if keep else DROP)

    def _expression(self, path: str, value: Any) -> None:
        if self._drops:
            text = f"Cannot use an expression {render_field(path, value)} in an exclusion projection"
            raise CommandError(31310, text)
        self._drops = False
        self._add(path, self._compiled(value))

    def _compiled(self, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return compile_expression(value, self._scope)
        name = next(iter(value))
        if name in _FIND_ONLY:
            raise CommandError(168, f"Cannot use {name} in this context")
        if len(value) > 1:
            check_path(name)
        if not is_known(name, self._scope):
            raise CommandError(31325, f"Unknown expression {name}")
        return compile_operator(value, self._scope)

    def _add(self, path: str, action: Any) -> None:
        self._check_collision(path)
        self._paths.append((path, action))

    def _check_collision(self, path: str) -> None:
        for other in ["_id"] * (self._id is not None) + [path for path, _ in self._paths]:
            if other == path or other.startswith(path + "."):
                raise CommandError(31250, f"Path collision at {path}")
            if path.startswith(other + "."):
                remaining = path[len(other) + 1 :]
                raise CommandError(31249, f"Path collision at {path} remaining portion {remaining}")


def _non_zero(value: Any) -> bool:
    return bool(value.to_decimal() != 0) if hasattr(value, "to_decimal") else value != 0


def parse_add_fields(specification: Mapping[str, Any], scope: Scope) -> Node:
    """Returns the projection of an `$addFields` argument.

    Raises:
        CommandError: code 40176 (paths that collide), 40180 (empty document), 40183 (dots below a path).
    """
    root = Node(keeps_others=True)
    seen: list[str] = []
    for path, value in specification.items():
        check_path(path)
        _add_field(root, path, value, seen, specification, scope)
    return root.finish()


def _add_field(
    root: Node, path: str, value: Any, seen: list[str], specification: Mapping[str, Any], scope: Scope
) -> None:
    if isinstance(value, Mapping) and not value:
        raise CommandError(40180, f"an empty object is not a valid value. Found empty object at path {path}")
    if isinstance(value, Mapping) and not next(iter(value)).startswith("$"):
        for name, below in value.items():
            _check_sub_field(name, specification)
            _add_field(root, f"{path}.{name}", below, seen, specification, scope)
        return
    for other in seen:
        if path == other or path.startswith(other + ".") or other.startswith(path + "."):
            text = f"Cannot specify both '{path}' and '{other}': {render(dict(specification))}"
            raise CommandError(40176, f"specification contains two conflicting paths. {text}")
    seen.append(path)
    root.place(path, compile_expression(value, scope))


def _check_sub_field(name: str, specification: Mapping[str, Any]) -> None:
    if "." in name:
        text = f"cannot use dotted field name '{name}' in a sub object: {render(dict(specification))}"
        raise CommandError(40183, text)
    check_path(name)


def within_stage(name: str, error: CommandError) -> CommandError:
    """Returns a parser's error as the stage reports it.

    What fails to fold, or lacks metadata, is found after the stages were parsed, and is not the parser's.
    """
    if isinstance(error, LateError):
        return error
    return error.within(f"Invalid {name}")
