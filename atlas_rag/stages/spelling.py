"""How a frozen value is spelled as a document and read back: one declaration per class, both directions.

A class lists its options as dataclass fields. The wire name is the field name in camelCase; an option
with the default None is left out where it is None, never sent as null. `Annotated` adds what else there is to know: checks (functions of
value and name that raise `CallError`), `Read` for nested values, `Wire` for another name. None of a required
option goes to its checks, and where they let it pass it is an explicit null.

    limit: Annotated[int, checks.integer(1)]
    fuzzy: Annotated[Fuzzy | None, Read(Fuzzy.read)] = None

Reading forgives form as the engine's parser does: null counts as absent, an integral double as an integer.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping
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


@dataclasses.dataclass(frozen=True, slots=True)
class _Option:
    """What `Spelled` needs to know of one field."""

    wire: str
    """The name on the wire."""
    shown: str
    """The name in messages."""
    check: Check
    """All its checks in one."""
    reader: Reader | None
    optional: bool
    """Whether None says nothing, and is not kept; else it is checked, and spelled as null."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Plan:
    """The options of a class by field, in order, read off its fields once."""

    options: Mapping[str, _Option]
    fields: Mapping[str, str]
    """Names of the fields by those on the wire."""
    required: tuple[str, ...]


_PLANS: dict[type, _Plan] = {}
PLAIN = frozenset((str, int, float, bool))


def _plan(owner: type[Spelled]) -> _Plan:
    plan = _PLANS.get(owner)
    if plan is None:
        plan = _PLANS[owner] = _read_plan(owner)
    return plan


def _read_plan(owner: type[Spelled]) -> _Plan:
    fields = dataclasses.fields(cast(Any, owner))
    hints = get_type_hints(owner, include_extras=True)
    options = {one.name: _option(owner, one, getattr(hints[one.name], "__metadata__", ())) for one in fields}
    return _Plan(
        options=options,
        fields={option.wire: name for name, option in options.items()},
        required=tuple(one.name for one in fields if one.default is dataclasses.MISSING),
    )


def _option(owner: type[Spelled], field: dataclasses.Field[Any], extras: tuple[Any, ...]) -> _Option:
    wire = _attribute(extras, "name") or camel(field.name)
    return _Option(
        wire=wire,
        shown=f"{owner.label}.{wire}" if owner.label else wire,
        check=_one_check(tuple(filter(callable, extras))),
        reader=_attribute(extras, "reader"),
        optional=field.default is None,
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


class _Signature:
    """The signature of a class's constructor, for whoever asks."""

    def __get__(self, instance: object, owner: type[Spelled]) -> inspect.Signature:
        hints = get_type_hints(owner)
        return inspect.Signature(
            [
                inspect.Parameter(
                    one.name,
                    inspect.Parameter.KEYWORD_ONLY,
                    default=inspect.Parameter.empty if one.default is dataclasses.MISSING else one.default,
                    annotation=hints[one.name],
                )
                for one in dataclasses.fields(cast(Any, owner))
            ]
        )


class Spelled:
    """Base of every value with a wire form. Subclasses are frozen, keyword-only dataclasses.

    A value holds the options that were given; the others stand in the class as their defaults.
    """

    __signature__: ClassVar = _Signature()
    label: ClassVar[str] = ""
    """What messages call this value, such as `$vectorSearch` or `text`."""
    release: ClassVar[str] = "6.0"
    """The lowest server series that knows it."""

    def __init__(self, **given: Any) -> None:
        plan = _PLANS.get(type(self)) or _plan(type(self))
        kept = vars(self)
        for name, value in given.items():
            option = plan.options.get(name)
            if option is None:
                raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {name!r}")
            if value is not None or not option.optional:
                option.check(value, option.shown)
                kept[name] = value
        for name in plan.required:
            if name not in kept:
                raise TypeError(f"{type(self).__name__}() misses the keyword argument {name!r}")
        self.validate()

    def __repr__(self) -> str:
        given = (f"{name}={vars(self)[name]!r}" for name in _plan(type(self)).options if name in vars(self))
        return f"{type(self).__name__}({', '.join(given)})"

    def validate(self) -> None:
        """Rules between options; raises `CallError` INVALID_STAGE."""

    def spell(self) -> dict[str, Any]:
        """The document on the wire, without the enclosing name."""
        given = vars(self)
        return {
            option.wire: value if type(value := given[name]) in PLAIN else spelled(value)
            for name, option in _plan(type(self)).options.items()
            if name in given
        }

    def nested(self) -> Any:
        """The form that this value takes inside another: `spell`, unless a class has a name to add."""
        return self.spell()

    def raw_parts(self) -> Iterator[str]:
        """Names of what is passed through unread inside this value."""
        for value in vars(self).values():
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
        unknown = [name for name in document if name not in plan.fields]
        if unknown:
            raise invalid(
                f"{cls.label or cls.__name__} has an unknown option {unknown[0]!r}",
                f"one of {', '.join(plan.fields)}",
            )
        missing = sorted(wire for name in plan.required if (wire := plan.options[name].wire) not in document)
        if missing:
            raise invalid(f"{cls.label or cls.__name__} has no {missing[0]!r}", "every required option")
        values: dict[str, Any] = {}
        for wire, value in document.items():
            name = plan.fields[wire]
            reader = plan.options[name].reader
            values[name] = reader(value) if reader is not None and value is not None else frozen(value)
        return cls(**values)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def spelled_class(cls: type[Value]) -> type[Value]:
    """The decorator of every `Spelled` class: a frozen, keyword-only dataclass."""
    return dataclasses.dataclass(frozen=True, kw_only=True, init=False, repr=False)(cls)


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
