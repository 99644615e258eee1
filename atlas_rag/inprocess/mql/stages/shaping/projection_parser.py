"""Reads the arguments of `$project` and `$addFields` into projection trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression, compile_operator, is_known
from atlas_rag.inprocess.mql.expressions.fields import check_path
from atlas_rag.inprocess.mql.expressions.scope import LateError, Scope
from atlas_rag.inprocess.mql.stages.shaping.projection import DROP, KEEP, Node
from atlas_rag.inprocess.mql.values.paths import overlap
from atlas_rag.inprocess.mql.values.types import is_number, is_truthy
from atlas_rag.inprocess.rendering import render, render_field

_FIND_ONLY = ("$elemMatch",)
_POSITION_WITHIN = (
    "As of 4.4, it's illegal to specify positional operator in the middle of a path."
    "Positional projection may only be used at the end, for example: a.b.$. If the query previously used a "
    "form like a.b.$.d, remove the parts following the '$' and the results will be equivalent."
)


def parse_project(specification: Sequence[tuple[str, Any]], scope: Scope) -> Node:
    """Returns the projection of a `$project` argument, given as pairs of path and action.

    Raises:
        CommandError: code 51272 (empty), 31249 and 31250 (paths that collide), 31253 and 31254 (keeping and
            dropping mixed), 31252 and 31310 (an expression among dropped fields), 31324 (positional), 31325
            (unknown expression).
    """
    if not specification:
        raise CommandError(51272, "projection specification must have at least one field")
    return _ProjectParser(scope).parse(specification)


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool) or is_number(value)


# The fields named so far at one level: what happens to each, or the level below it.
_Level = dict[str, Any]


class _ProjectParser:
    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._drops: bool | None = None
        self._root: _Level = {}

    def parse(self, specification: Sequence[tuple[str, Any]]) -> Node:
        for path, value in specification:
            self._read(self._root, path, value)
        id_action = self._root.get("_id")
        drops = self._drops if self._drops is not None else id_action is DROP
        if not drops:
            self._root.setdefault("_id", KEEP)
        if id_action is (KEEP if drops else DROP):  # what happens to it anyway
            del self._root["_id"]
        return _tree(self._root, drops).finish()

    def _read(self, level: _Level, path: str, value: Any) -> None:
        """Reads one field of a level; its errors name the path from there."""
        if isinstance(value, Mapping):
            self._read_object(level, path, value)
        elif _is_flag(value):
            _check_projected(path)
            self._flag(level, path, is_truthy(value))
        else:
            expression = compile_expression(value, self._scope)
            _check_projected(path)
            _place(level, path, expression)
            if self._drops:
                text = f"Cannot use an expression {render_field(path, value)} in an exclusion projection"
                raise CommandError(31310, text)
            self._drops = False

    def _read_object(self, level: _Level, path: str, value: Mapping[str, Any]) -> None:
        if not value:
            text = "An empty sub-projection is not a valid value. Found empty object at path"
            raise CommandError(51270, text)
        _check_projected(path)
        if len(value) == 1 and next(iter(value)).startswith("$"):
            _place(level, path, self._operator(value))
            return
        *parents, last = path.split(".")
        below = _below(level, parents, path).setdefault(last, {})
        if not isinstance(below, dict):
            raise CommandError(31250, f"Path collision at {path}")
        for name, field in value.items():
            self._read(below, name, field)

    def _flag(self, level: _Level, path: str, keep: bool) -> None:
        _place(level, path, KEEP if keep else DROP)
        if level is self._root and path == "_id":  # may be dropped among kept fields, and kept among dropped
            return
        if self._drops is None:
            self._drops = not keep
        elif self._drops and keep:
            raise CommandError(31253, f"Cannot do inclusion on field {path} in exclusion projection")
        elif not self._drops and not keep:
            raise CommandError(31254, f"Cannot do exclusion on field {path} in inclusion projection")

    def _operator(self, value: Mapping[str, Any]) -> Any:
        (name,) = value
        if name in _FIND_ONLY:
            raise CommandError(168, f"Cannot use {name} in this context")
        if not is_known(name, self._scope):
            raise CommandError(31325, f"Unknown expression {name}")
        if name != "$meta":  # which may stand among dropped fields
            if self._drops:
                text = "Cannot use expression other than $meta in exclusion projection"
                raise CommandError(31252, text)
            self._drops = False
        return compile_operator(value, self._scope)


def _check_projected(path: str) -> None:
    if ".$." in path:
        raise CommandError(31394, _POSITION_WITHIN)
    if path.endswith(".$"):
        raise CommandError(31324, "Cannot use positional projection in aggregation projection")
    check_path(path)


def _place(level: _Level, path: str, action: Any) -> None:
    """Says what happens at a path; nothing may be said of it, or of what it lies in, before."""
    *parents, last = path.split(".")
    parent = _below(level, parents, path)
    if last in parent:
        raise CommandError(31250, f"Path collision at {path}")
    parent[last] = action


def _below(level: _Level, names: Sequence[str], path: str) -> _Level:
    """Returns the level that some names lead to, made where there is none; `path` is told in errors."""
    for name in names:
        level = level.setdefault(name, {})
        if not isinstance(level, dict):
            remaining = path.partition(".")[2]
            raise CommandError(31249, f"Path collision at {path} remaining portion {remaining}")
    return level


def _tree(level: _Level, drops: bool) -> Node:
    node = Node(keeps_others=drops)
    for name, action in level.items():
        node.fields[name] = _tree(action, drops) if isinstance(action, dict) else action
    return node


def parse_add_fields(specification: Mapping[str, Any], scope: Scope) -> Node:
    """Returns the projection of an `$addFields` argument; its paths are read before its expressions.

    Raises:
        CommandError: code 40176 (paths that collide), 40180 (empty document), 40181 (more beside an
            expression), 40183 (dots below a path).
    """
    added: dict[str, Any] = {}
    for path, value in _leaves(specification, "", specification):
        for other in added:
            if overlap(path, other):
                text = f"Cannot specify both '{path}' and '{other}': {render(specification)}"
                raise CommandError(40176, f"specification contains two conflicting paths. {text}")
        added[path] = value
    root = Node(keeps_others=True)
    for path, value in added.items():
        root.place(path, compile_expression(value, scope))
    return root.finish()


def _leaves(
    level: Mapping[str, Any], prefix: str, specification: Mapping[str, Any]
) -> Iterator[tuple[str, Any]]:
    """Yields the full paths of the fields to add, with what they shall hold."""
    for name, value in level.items():
        if prefix and name.startswith("$"):
            _check_alone(level, specification)
            yield prefix, level
            return
        if prefix and "." in name:
            text = f"cannot use dotted field name '{name}' in a sub object: {render(specification)}"
            raise CommandError(40183, text)
        path = f"{prefix}.{name}" if prefix else name
        check_path(path)
        if not isinstance(value, Mapping):
            yield path, value
        elif value:
            yield from _leaves(value, path, specification)
        else:
            text = f"an empty object is not a valid value. Found empty object at path {path}"
            raise CommandError(40180, text)


def _check_alone(level: Mapping[str, Any], specification: Mapping[str, Any]) -> None:
    if len(level) > 1:
        text = "an expression specification must contain exactly one field, the name of the expression."
        found = f"Found {len(level)} fields in {render(level)}, while parsing object {render(specification)}"
        raise CommandError(40181, f"{text} {found}")


def within_stage(name: str, error: CommandError) -> CommandError:
    """Returns a parser's error as the stage reports it.

    What fails to fold, or lacks metadata, is found after the stages were parsed, and is not the parser's.
    """
    if isinstance(error, LateError):
        return error
    return error.within(f"Invalid {name}")
