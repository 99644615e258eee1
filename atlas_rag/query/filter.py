"""Which documents may be found: a frozen, hashable tree of conditions.

    Filter.where("category", "refund").where_in("region", ["eu", "uk"])
    (field("year") >= 2023) & ~field("status").like("draft%")

Meaning, equal on every target: a comparison holds for a document if any value at the path satisfies it
(arrays count element by element, each condition on its own) and the value has the type compared with. `ne`
and `not_in` hold only where the path exists; `~` is the plain complement, so `~(field("a") == 1)` also holds
where `a` is missing. `None` means an explicit null, not a missing field.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, ParamSpec

from atlas_rag.errors import CallError, Code
from atlas_rag.query.values import Value, literal, text, type_name
from atlas_rag.quick_init import quick_init

Condition = ParamSpec("Condition")


class _chain(Generic[Condition]):  # noqa: N801 - reads as a decorator
    """Makes a condition start a filter on the class and narrow one on an instance."""

    def __init__(self, build: Callable[Condition, Filter]) -> None:
        self._build = build
        self.__doc__ = build.__doc__

    def __get__(self, narrowed: Filter | None, owner: type) -> Callable[Condition, Filter]:
        if narrowed is None:
            return self._build

        def narrow(*args: Condition.args, **kwargs: Condition.kwargs) -> Filter:
            return narrowed & self._build(*args, **kwargs)

        return narrow


class Filter:
    """A condition on documents. Combine with `&`, `|`, `~`, or chain the `where` family (AND)."""

    __slots__ = ()

    def __and__(self, other: Filter) -> Filter:
        return _group(AllOf, (self, other))

    def __or__(self, other: Filter) -> Filter:
        return _group(AnyOf, (self, other))

    def __invert__(self) -> Filter:
        return self.part if isinstance(self, Not) else Not(self)

    def or_(self, *others: Filter) -> Filter:
        """This or any of the others."""
        if not others:
            raise _empty_group("or_()")
        return any_of(self, *others)

    @_chain
    def where(path: str, value: Value) -> Filter:
        """The path holds exactly this value; None means an explicit null."""
        return Comparison(path, "eq", value)

    @_chain
    def where_not(path: str, value: Value) -> Filter:
        """The path exists and does not hold this value."""
        return Comparison(path, "ne", value)

    @_chain
    def where_in(path: str, values: Iterable[Value]) -> Filter:
        """The path holds one of these values; none at all matches nothing."""
        return Comparison(path, "in", _members(values, path))

    @_chain
    def where_not_in(path: str, values: Iterable[Value]) -> Filter:
        """The path exists and holds none of these values."""
        return Comparison(path, "not_in", _members(values, path))

    @_chain
    def where_like(path: str, pattern: str) -> Filter:
        """The string at the path fits the pattern: `%` any run, `_` one character; case counts."""
        return Comparison(path, "like", pattern)

    @_chain
    def where_exists(path: str) -> Filter:
        """The path is present, be it null."""
        return Comparison(path, "exists", None)

    @_chain
    def where_missing(path: str) -> Filter:
        """The path is absent."""
        return Comparison(path, "not_exists", None)

    @_chain
    def where_between(path: str, low: Value, high: Value) -> Filter:
        """Some value at the path is ≥ low, and some value is ≤ high."""
        return all_of(Comparison(path, "gte", low), Comparison(path, "lte", high))

    @staticmethod
    def from_dict(document: dict[str, Any]) -> Filter:
        """Reads the Mongo-style form; see `atlas_rag.query.filter_dict`."""
        from atlas_rag.query.filter_dict import read

        return read(document)

    def to_dict(self) -> dict[str, Any]:
        """The Mongo-style form that `from_dict` reads back to an equal filter."""
        from atlas_rag.query.filter_dict import write

        return write(self)

    def paths(self) -> frozenset[str]:
        """Every path that a condition names."""
        return frozenset(leaf.path for leaf in self.leaves())

    def leaves(self) -> Iterable[Comparison]:
        """Every comparison, left to right."""
        raise NotImplementedError


@quick_init
@dataclass(frozen=True, slots=True, eq=False)
class Comparison(Filter):
    """One operator on one path.

    Args:
        path: dotted field path.
        operator: eq, ne, gt, gte, lt, lte, in, not_in, like, exists or not_exists.
        value: a literal; a tuple of literals for in and not_in; a pattern for like; None for the last two.
    """

    path: str
    operator: str
    value: Value | tuple[Value, ...] = None

    def __post_init__(self) -> None:
        path = plain_path(self.path)
        read = _READERS.get(self.operator) if isinstance(self.operator, str) else None
        if read is None:
            raise _invalid(
                f"Unknown filter operator {self.operator!r} on {path!r}", f"one of {', '.join(_READERS)}"
            )
        object.__setattr__(self, "path", path)
        object.__setattr__(self, "operator", str.__str__(self.operator))
        object.__setattr__(self, "value", read(self.value, path, self.operator))

    @property
    def types(self) -> tuple[str, ...]:
        """BSON type of each literal."""
        return tuple(map(type_name, self.value if isinstance(self.value, tuple) else (self.value,)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Comparison) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity())

    def _identity(self) -> tuple[Any, ...]:
        """With the types, so that 1 and True are different conditions."""
        return self.path, self.operator, self.value, self.types

    def leaves(self) -> Iterable[Comparison]:
        return (self,)


@quick_init
@dataclass(frozen=True, slots=True)
class AllOf(Filter):
    """Every part holds."""

    parts: tuple[Filter, ...]

    def leaves(self) -> Iterable[Comparison]:
        return (leaf for part in self.parts for leaf in part.leaves())


@quick_init
@dataclass(frozen=True, slots=True)
class AnyOf(Filter):
    """At least one part holds."""

    parts: tuple[Filter, ...]

    def leaves(self) -> Iterable[Comparison]:
        return (leaf for part in self.parts for leaf in part.leaves())


@quick_init
@dataclass(frozen=True, slots=True)
class Not(Filter):
    """The part does not hold."""

    part: Filter

    def leaves(self) -> Iterable[Comparison]:
        return self.part.leaves()


def all_of(*parts: Filter) -> Filter:
    """AND in the order given; nested ANDs are laid flat."""
    return _group(AllOf, parts)


def any_of(*parts: Filter) -> Filter:
    """OR in the order given; nested ORs are laid flat."""
    return _group(AnyOf, parts)


def combine(store: Filter | None, query: Filter | None) -> Filter | None:
    """Store filter AND query filter, store first, as a new value; a query filter can only narrow."""
    if store is None or query is None:
        return query if store is None else store
    return all_of(store, query)


def plain_path(path: Any) -> str:
    """The dotted field path as a plain str.

    Raises:
        CallError: INVALID_FILTER for what is no path.
    """
    if type(path) is str and path.isidentifier() and path.isascii():
        return path
    if not isinstance(path, str) or not path or "\0" in path:
        raise _invalid(f"A filter path is {path!r}", "a non-empty dotted field path")
    plain = text(path, "A filter path")
    if any(not part or part.startswith("$") for part in plain.split(".")):
        raise _invalid(
            f"The filter path {plain!r} has an empty or '$' component", "a plain dotted field path"
        )
    return plain


def _group(kind: type[AllOf] | type[AnyOf], parts: tuple[Filter, ...]) -> Filter:
    if not parts:
        raise _empty_group("a group")
    flat: list[Filter] = []
    for part in parts:
        if not isinstance(part, Filter):
            raise _invalid(f"A group of conditions holds a {type(part).__name__}", "Filter values")
        if isinstance(part, kind):
            flat += part.parts
        else:
            flat.append(part)
    return flat[0] if len(flat) == 1 else kind(tuple(flat))


def _members(values: Iterable[Value], path: str) -> tuple[Value, ...]:
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise _invalid(
            f"The values for {path!r} are one {type(values).__name__}", "a list or tuple of literals"
        )
    return tuple(values)


def _bound(value: Any, path: str, operator: str) -> Value:
    bound = literal(value, path)
    kind = type_name(bound)
    if kind in ("null", "bool"):
        raise _invalid(
            f"{operator!r} on {path!r} has a {kind} bound without order",
            "a number, string, datetime, ObjectId or UUID",
        )
    return bound


def _literals(values: Any, path: str, operator: str) -> tuple[Value, ...]:
    if not isinstance(values, tuple):
        raise _invalid(f"The values for {path!r} are not a tuple", "a tuple of literals")
    return tuple(literal(value, path) for value in values)


def _pattern(value: Any, path: str, operator: str) -> str:
    if not isinstance(value, str):
        raise _invalid(f"The pattern for {path!r} is not a string", "a str with % and _")
    return text(value, f"The pattern for {path!r}")


def _literal(value: Any, path: str, operator: str) -> Value:
    return literal(value, path)


def _nothing(value: Any, path: str, operator: str) -> None:
    if value is not None:
        raise _invalid(f"{operator!r} on {path!r} has a value", "no value: presence compares with none")


_READERS: dict[str, Callable[[Any, str, str], Value | tuple[Value, ...]]] = {
    "eq": _literal,
    "ne": _literal,
    "gt": _bound,
    "gte": _bound,
    "lt": _bound,
    "lte": _bound,
    "in": _literals,
    "not_in": _literals,
    "like": _pattern,
    "exists": _nothing,
    "not_exists": _nothing,
}
"""Reads the value of each operator as what it has to be."""


def _empty_group(what: str) -> CallError:
    return CallError(
        f"{what} holds no condition",
        expected="at least one condition",
        next_step="pass None for no filter, or where_in(path, []) to match nothing",
        code=Code.INVALID_FILTER,
    )


def _invalid(problem: str, expected: str) -> CallError:
    return CallError(problem, expected=expected, code=Code.INVALID_FILTER)
