"""How a frozen value is spelled as a document and read back: one declaration per class, both directions.

A class lists its options as dataclass fields. The wire name is the field name in camelCase; an option that
is None is left out, never sent as null. `Annotated` adds what else there is to know: checks (functions of
value and name that raise `CallError`), `Read` for nested values, `Wire` for another name, `ALWAYS` where null
itself has a meaning.

    limit: Annotated[int, checks.integer(1)]
    fuzzy: Annotated[Fuzzy | None, Read(Fuzzy.read)] = None
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform, get_type_hints

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

    spelled: tuple[tuple[str, str, bool], ...]
    checks: tuple[tuple[str, str, Check, bool], ...]
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
    names = {one.name: _first(Wire, extras[one.name], "name") or camel(one.name) for one in fields}
    always = {one.name: ALWAYS in extras[one.name] for one in fields}
    prefix = f"{owner.label}." if owner.label else ""
    return _Plan(
        spelled=tuple((name, names[name], always[name]) for name in names),
        checks=tuple(
            (name, prefix + names[name], extra, always[name])
            for name in names
            for extra in extras[name]
            if callable(extra)
        ),
        readers={names[name]: (name, _first(Read, extras[name], "reader")) for name in names},
        required=frozenset(names[one.name] for one in fields if one.default is dataclasses.MISSING),
    )


def _first(kind: type, extras: tuple[Any, ...], attribute: str) -> Any:
    return next((getattr(extra, attribute) for extra in extras if isinstance(extra, kind)), None)


class Spelled:
    """Base of every value with a wire form. Subclasses are frozen, slotted, keyword-only dataclasses."""

    __slots__ = ()
    label: ClassVar[str] = ""
    """What messages call this value, such as `$vectorSearch` or `text`."""

    def __post_init__(self) -> None:
        for name, shown, check, always in _plan(type(self)).checks:
            value = getattr(self, name)
            if value is not None or always:
                check(value, shown)
        self.validate()

    def validate(self) -> None:
        """Rules between options; raises `CallError` INVALID_STAGE."""

    def spell(self) -> dict[str, Any]:
        """The document on the wire, without the enclosing name."""
        document: dict[str, Any] = {}
        for name, wire, always in _plan(type(self)).spelled:
            value = getattr(self, name)
            if value is None:
                if always:
                    document[wire] = None
            else:
                document[wire] = value if type(value) in PLAIN else spelled(value)
        return document

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
    return dataclasses.dataclass(frozen=True, slots=True, kw_only=True)(cls)


def spelled(value: Any) -> Any:
    """A field's value on the wire: nested values spelled, tuples as arrays, the rest as it is."""
    if isinstance(value, Spelled):
        return value.spell()
    if isinstance(value, tuple):
        return [spelled(item) for item in value]
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
    return value


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
