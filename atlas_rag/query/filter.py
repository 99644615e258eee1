"""Which documents may be found: a frozen, hashable tree of conditions.

    Filter.where("category", "refund").where_in("region", ["eu", "uk"]).where_gte("year", 2023)
    (field("year") >= 2023) & ~field("status").like("draft%")
    Filter.within(Filter.where("tenant", "acme")).or_(field("region") == "eu", field("vip") == True)

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
from atlas_rag.query.operands import READERS, members, plain_path, unknown
from atlas_rag.query.values import Value, literal, type_name

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
    """A condition on documents. Combine with `&`, `|`, `~`, or chain the `where` family (AND).

    What starts with `within(...)` can only be narrowed: see there.
    """

    __slots__ = ()

    def __and__(self, other: Filter) -> Filter:
        return all_of(self, other)

    def __or__(self, other: Filter) -> Filter:
        return any_of(self, other)

    def __invert__(self) -> Filter:
        return self.part if isinstance(self, Not) else Not(self)

    def or_(self, *others: Filter) -> Filter:
        """This or any of the others; after `within(...)`: this, and any of the others besides."""
        if not others:
            raise _empty_group("or_()")
        return any_of(self, *others)

    @_chain
    def within(*boundary: Filter) -> Filter:
        """These conditions as a boundary that nothing said afterwards can widen.

        `where…` and `&` narrow as always, and `or_(a, b)` demands one of the two *besides* everything
        before: `within(tenant).or_(a, b)` is tenant AND (a OR b). `|` and `~`, which would let documents from
        outside in, are refused.
        """
        return Within(all_of(*boundary).conjuncts())

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
        return Comparison(path, "in", members(values, path))

    @_chain
    def where_not_in(path: str, values: Iterable[Value]) -> Filter:
        """The path exists and holds none of these values."""
        return Comparison(path, "not_in", members(values, path))

    @_chain
    def where_gt(path: str, bound: Value) -> Filter:
        """Some value at the path is greater than the bound."""
        return Comparison(path, "gt", bound)

    @_chain
    def where_gte(path: str, bound: Value) -> Filter:
        """Some value at the path is the bound or greater."""
        return Comparison(path, "gte", bound)

    @_chain
    def where_lt(path: str, bound: Value) -> Filter:
        """Some value at the path is less than the bound."""
        return Comparison(path, "lt", bound)

    @_chain
    def where_lte(path: str, bound: Value) -> Filter:
        """Some value at the path is the bound or less."""
        return Comparison(path, "lte", bound)

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
        """Reads the Mongo-style form: the eleven operators and three groups, nothing else.

            {"year": {"$gte": 2023, "$lt": 2025}, "$or": [{"region": "eu"}, {"vip": True}]}

        Operators mean what they mean here on every target, not what MQL would make of them: `$ne` and `$nin`
        need the path to exist, `null` is an explicit null. `$not` and `$nor` are plain complements.
        """
        return read_document(document)

    def to_dict(self) -> dict[str, Any]:
        """The Mongo-style form that `from_dict` reads back to an equal filter, a `within` as a plain AND."""
        return write_document(self)

    def paths(self) -> frozenset[str]:
        """Every path that a condition names."""
        return frozenset(leaf.path for leaf in self.leaves())

    def leaves(self) -> Iterable[Comparison]:
        """Every comparison, left to right."""
        raise NotImplementedError

    def conjuncts(self) -> tuple[Filter, ...]:
        """The conditions that all have to hold: the parts of an AND, else this one."""
        return (self,)


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
        read = READERS.get(self.operator) if isinstance(self.operator, str) else None
        if read is None:
            raise unknown(f"filter operator {self.operator!r} on {path!r}", self.operator, READERS)
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


@dataclass(frozen=True, slots=True, eq=False)
class AllOf(Filter):
    """Every part holds; ANDs among the parts are laid flat."""

    parts: tuple[Filter, ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)
        if any(isinstance(part, Within) for part in self.parts) and not isinstance(self, Within):
            raise _invalid(
                "AllOf(...) holds a within(...)", "within(boundary) & condition, which stays a boundary"
            )
        flat = tuple(conjunct for part in self.parts for conjunct in part.conjuncts())
        object.__setattr__(self, "parts", flat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AllOf) and self.parts == other.parts

    def __hash__(self) -> int:
        return hash((AllOf, self.parts))

    def leaves(self) -> Iterable[Comparison]:
        return (leaf for part in self.parts for leaf in part.leaves())

    def conjuncts(self) -> tuple[Filter, ...]:
        return self.parts


class Within(AllOf):
    """An AND that can only become narrower; equal to any other AND of the same parts."""

    __slots__ = ()

    def or_(self, *others: Filter) -> Filter:
        if not others:
            raise _empty_group("or_()")
        return self & any_of(*others)


@dataclass(frozen=True, slots=True)
class AnyOf(Filter):
    """At least one part holds; ORs among the parts are laid flat."""

    parts: tuple[Filter, ...]

    def __post_init__(self) -> None:
        _check_parts(self.parts)
        for part in self.parts:
            _refuse_widening(part, "An OR")
        flat = tuple(
            one for part in self.parts for one in (part.parts if isinstance(part, AnyOf) else (part,))
        )
        object.__setattr__(self, "parts", flat)

    def leaves(self) -> Iterable[Comparison]:
        return (leaf for part in self.parts for leaf in part.leaves())


@dataclass(frozen=True, slots=True)
class Not(Filter):
    """The part does not hold."""

    part: Filter

    def __post_init__(self) -> None:
        _refuse_widening(self.part, "A complement")

    def leaves(self) -> Iterable[Comparison]:
        return self.part.leaves()


def all_of(*parts: Filter) -> Filter:
    """AND in the order given; nested ANDs are laid flat."""
    _check_parts(parts)
    within = any(isinstance(part, Within) for part in parts)
    return _unwrapped((Within if within else AllOf)(parts))


def any_of(*parts: Filter) -> Filter:
    """OR in the order given; nested ORs are laid flat."""
    return _unwrapped(AnyOf(parts))


def combine(store: Filter | None, query: Filter | None) -> Filter | None:
    """Store filter AND query filter, store first, as a new value; a query filter can only narrow."""
    if store is None or query is None:
        return query if store is None else store
    return all_of(store, query)


def _check_parts(parts: tuple[Filter, ...]) -> None:
    if not parts:
        raise _empty_group("a group")
    for part in parts:
        if not isinstance(part, Filter):
            raise _invalid(f"A group of conditions holds a {type(part).__name__}", "Filter values")


def _unwrapped(group: AllOf | AnyOf) -> Filter:
    """The group, or its only part."""
    return group.parts[0] if len(group.parts) == 1 else group


def _refuse_widening(part: Filter, what: str) -> None:
    if isinstance(part, Within):
        raise CallError(
            f"{what} would let documents from outside a within(...) in",
            expected="conditions inside the boundary: within(boundary).or_(a, b), within(boundary) & ~a",
            next_step="write the OR or the complement first and put within(...) around the boundary last",
            code=Code.INVALID_FILTER,
        )


def _empty_group(what: str) -> CallError:
    return CallError(
        f"{what} holds no condition",
        expected="at least one condition",
        next_step="pass None for no filter, or where_in(path, []) to match nothing",
        code=Code.INVALID_FILTER,
    )


def _invalid(problem: str, expected: str, next_step: str = "write the condition so") -> CallError:
    return CallError(problem, expected=expected, next_step=next_step, code=Code.INVALID_FILTER)


# ------------------------------------------------------------------ the Mongo-style form

OPERATORS = {
    "$eq": "eq",
    "$ne": "ne",
    "$gt": "gt",
    "$gte": "gte",
    "$lt": "lt",
    "$lte": "lte",
    "$in": "in",
    "$nin": "not_in",
    "$like": "like",
}
SPELLING = {name: key for key, name in OPERATORS.items()}
GROUPS = ("$and", "$or", "$nor")


def read_document(document: Mapping[str, Any]) -> Filter:
    """Reads the Mongo-style form.

    Raises:
        CallError: INVALID_FILTER for an empty document or group, an unknown operator, or a bad value;
            VALUE_NOT_LITERAL for a `$` key where a value belongs.
    """
    if not isinstance(document, Mapping):
        raise _invalid(f"A filter is a {type(document).__name__}", "a document")
    if not document:
        raise _invalid("A filter is empty", "at least one condition", "pass None for no filter")
    return all_of(*(_entry(key, value) for key, value in document.items()))


def write_document(condition: Filter) -> dict[str, Any]:
    """Writes the form that `read_document` reads back to an equal filter."""
    match condition:
        case AllOf(parts):
            return {"$and": [write_document(part) for part in parts]}
        case AnyOf(parts):
            return {"$or": [write_document(part) for part in parts]}
        case Not(part):
            return {"$nor": [write_document(part)]}
        case Comparison(path, "exists" | "not_exists" as operator):
            return {path: {"$exists": operator == "exists"}}
        case Comparison(path, operator, value):
            return {path: {SPELLING[operator]: list(value) if isinstance(value, tuple) else value}}
    raise TypeError(type(condition))


def _entry(key: Any, value: Any) -> Filter:
    if key in GROUPS:
        parts = _group_parts(key, value)
        return {"$and": all_of, "$or": any_of, "$nor": _nor}[key](*parts)
    if isinstance(key, str) and key.startswith("$"):
        if key in (*OPERATORS, "$exists", "$not"):
            raise _invalid(f"The operator {key!r} has no path", f"{{path: {{{key!r}: value}}}}")
        raise unknown(f"filter group {key!r}", key, GROUPS)
    if isinstance(value, Mapping):
        return _conditions(key, value)
    return Comparison(key, "eq", literal(value, str(key)))


def _group_parts(key: str, value: Any) -> list[Filter]:
    if not isinstance(value, list | tuple) or not value:
        raise _invalid(f"{key} holds {type(value).__name__}", "a non-empty array of filters")
    return [read_document(part) for part in value]


def _nor(*parts: Filter) -> Filter:
    return Not(any_of(*parts))


def _conditions(path: str, operators: Mapping[str, Any]) -> Filter:
    if not operators:
        raise _invalid(f"The condition on {path!r} is an empty document", "a literal or operators")
    if not any(str(key).startswith("$") or f"${key}" in OPERATORS for key in operators):
        literal(operators, path)
    return all_of(*(_condition(path, key, value) for key, value in operators.items()))


def _condition(path: str, key: str, value: Any) -> Filter:
    if key == "$exists":
        if not isinstance(value, bool):
            raise _invalid(f"$exists on {path!r} holds {type(value).__name__}", "true or false")
        return Comparison(path, "exists" if value else "not_exists")
    if key == "$not":
        if not isinstance(value, Mapping):
            raise _invalid(f"$not on {path!r} holds {type(value).__name__}", "a document of operators")
        return Not(_conditions(path, value))
    if key not in OPERATORS:
        raise unknown(f"filter operator {key!r} on {path!r}", key, (*OPERATORS, "$exists", "$not"))
    if key in ("$in", "$nin"):
        if not isinstance(value, list | tuple):
            raise _invalid(f"{key} on {path!r} holds {type(value).__name__}", "an array of literals")
        value = tuple(literal(item, path) for item in value)
    return Comparison(path, OPERATORS[key], value)
