"""How a frozen value is spelled as a document and read back: one declaration per class, both directions.

A class lists its options as dataclass fields. The wire name is the field name in camelCase; an option that
is None is left out, never sent as null. `Annotated` adds what else there is to know: checks (functions of
value and name that raise `CallError`), `Read` for nested values, `Wire` for another name, `ALWAYS` where null
itself has a meaning.

    limit: Annotated[int, checks.integer(1)]
    fuzzy: Annotated[Fuzzy | None, Read(Fuzzy.read)] = None

Reading forgives form as the engine's parser does: null counts as absent, an integral double as an integer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from operator import attrgetter
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform, get_type_hints
from uuid import UUID

from bson.binary import Binary

from atlas_rag.errors import CallError, Code

Check = Callable[[Any, str], None]
Reader = Callable[[Any], Any]
Value = TypeVar("Value")


@dataclasses.dataclass(frozen=True, slots=True)
class Wire:
    """Another name on the wire than the field's in camelCase."""

    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Read:
    """Turns the wire form into the field's value; lists become tuples by themselves."""

    reader: Reader


ALWAYS = "always"
"""Spell the option even when it is None: an explicit null."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """What `Spelled` needs to know of a class, read off its fields once."""

    names: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]
    """Every field's value at once, which is faster than one by one."""
    wires: tuple[str, ...]
    """By field: the name on the wire."""
    always: tuple[str, ...]
    """What is spelled even if it is None."""
    shown: tuple[str, ...]
    """By field: the name in messages."""
    checks: tuple[Check, ...]
    """By field: all its checks in one."""
    demanded: tuple[int, ...]
    """Positions of the fields for which None is no way to say nothing."""
    readers: Mapping[str, tuple[str, Reader | None]]
    required: frozenset[str]


_PLANS: dict[type, _Plan] = {}
PLAIN = frozenset((str, int, float, bool))


def _plan(owner: type[Spelled]) -> _Plan:
    plan = _PLANS.get(owner)
    if plan is None:
        plan = _PLANS[owner] = _read_plan(owner)
    return plan


def _read_plan(owner: type[Spelled]) -> _Plan:
    fields = [one for one in dataclasses.fields(cast(Any, owner)) if one.init]
    hints = get_type_hints(owner, include_extras=True)
    extras = {one.name: getattr(hints[one.name], "__metadata__", ()) for one in fields}
    names = {one.name: _attribute(extras[one.name], "name") or camel(one.name) for one in fields}
    required = {one.name for one in fields if one.default is dataclasses.MISSING}
    prefix = f"{owner.label}." if owner.label else ""
    return _Plan(
        names=tuple(names),
        values=attrgetter(*names) if len(names) > 1 else lambda one: tuple(getattr(one, n) for n in names),
        wires=tuple(names.values()),
        always=tuple(names[name] for name in names if ALWAYS in extras[name]),
        shown=tuple(prefix + name for name in names.values()),
        checks=tuple(_one_check(tuple(filter(callable, extras[name]))) for name in names),
        demanded=tuple(place for place, one in enumerate(fields) if one.default is not None),
        readers={names[name]: (name, _attribute(extras[name], "reader")) for name in names},
        required=frozenset(map(names.__getitem__, required)),
    )


def _one_check(checks: tuple[Check, ...]) -> Check:
    if len(checks) == 1:
        return checks[0]

    def check(value: Any, name: str) -> None:
        for one in checks:
            one(value, name)

    return check


def _attribute(extras: tuple[Any, ...], attribute: str) -> Any:
    return next((getattr(extra, attribute) for extra in extras if hasattr(extra, attribute)), None)


class Spelled:
    """Base of every value with a wire form. Subclasses are frozen, slotted, keyword-only dataclasses."""

    __slots__ = ()
    label: ClassVar[str] = ""
    """What messages call this value, such as `$vectorSearch` or `text`."""
    release: ClassVar[str] = "6.0"
    """The lowest server series that knows it."""

    def __post_init__(self) -> None:
        plan = _plan(type(self))
        values = plan.values(self)
        for value, shown, check in zip(values, plan.shown, plan.checks, strict=True):
            if value is not None:
                check(value, shown)
        for place in plan.demanded:
            if values[place] is None:
                plan.checks[place](None, plan.shown[place])
        self.validate()

    def __repr__(self) -> str:
        plan = _plan(type(self))
        given = (
            f"{name}={value!r}"
            for place, (name, value) in enumerate(zip(plan.names, plan.values(self), strict=True))
            if value is not None or place in plan.demanded
        )
        return f"{type(self).__name__}({', '.join(given)})"

    def validate(self) -> None:
        """Rules between options; raises `CallError` INVALID_STAGE."""

    def spell(self) -> dict[str, Any]:
        """The document on the wire, without the enclosing name."""
        plan = _plan(type(self))
        document = {
            wire: value if type(value) in PLAIN else spelled(value)
            for value, wire in zip(plan.values(self), plan.wires, strict=True)
            if value is not None
        }
        for wire in plan.always:
            document.setdefault(wire, None)
        return document

    def nested(self) -> Any:
        """The form that this value takes inside another: `spell`, unless a class has a name to add."""
        return self.spell()

    def raw_parts(self) -> Iterator[str]:
        """Names of what is passed through unread inside this value."""
        for value in _plan(type(self)).values(self):
            yield from raw_parts(value)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Self:
        """Reads the form that `spell` writes.

        Raises:
            CallError: INVALID_STAGE for an unknown or missing option, or whatever a check refuses.
        """
        if not isinstance(document, Mapping):
            raise invalid(f"{cls.label or cls.__name__} is a {type(document).__name__}", "a document")
        plan = _plan(cls)
        unknown = [name for name in document if name not in plan.readers]
        if unknown:
            raise invalid(
                f"{cls.label or cls.__name__} has an unknown option {unknown[0]!r}",
                f"one of {', '.join(plan.readers)}",
            )
        missing = sorted(plan.required - document.keys())
        if missing:
            raise invalid(f"{cls.label or cls.__name__} has no {missing[0]!r}", "every required option")
        values: dict[str, Any] = {}
        for wire, value in document.items():
            name, reader = plan.readers[wire]
            values[name] = reader(value) if reader is not None and value is not None else frozen(value)
        return cls(**values)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def spelled_class(cls: type[Value]) -> type[Value]:
    """The decorator of every `Spelled` class: a frozen, slotted, keyword-only dataclass."""
    return dataclasses.dataclass(frozen=True, slots=True, kw_only=True, repr=False)(cls)


def spelled(value: Any) -> Any:
    """A field's value on the wire: nested values spelled, tuples as arrays, the rest as it is."""
    if isinstance(value, Spelled):
        return value.nested()
    if isinstance(value, tuple):
        return [item if type(item) in PLAIN else spelled(item) for item in value]
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    # Subtype 4 whatever the client's uuidRepresentation, which may refuse a native UUID.
    return Binary.from_uuid(value) if isinstance(value, UUID) else value


def raw_parts(value: Any) -> Iterator[str]:
    """Names of what is passed through unread inside a field's value."""
    if isinstance(value, Spelled):
        yield from value.raw_parts()
    elif isinstance(value, tuple):
        for item in value:
            yield from raw_parts(item)
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from raw_parts(item)


def frozen(value: Any) -> Any:
    """Arrays as tuples, so that values stay hashable where their parts are."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value


def camel(name: str) -> str:
    """`num_candidates` → `numCandidates`; a trailing underscore (`in_`) is dropped."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(part.capitalize() for part in rest)


def invalid(problem: str, expected: str, next_step: str = "") -> CallError:
    """A `CallError` INVALID_STAGE."""
    return CallError(problem, expected=expected, next_step=next_step, code=Code.INVALID_STAGE)
