"""How a frozen value is spelled as a document and read back: one declaration per class, both directions.

A class lists its options as dataclass fields. The wire name is the field name in camelCase; an option with
the default None is left out where it is None, never sent as null. `Annotated` adds what else there is to
know: checks (functions of value and name that raise `CallError`), `Read` for nested values, `Wire` for
another name. None of a required option goes to its checks; where they let it pass it is an explicit null.

    limit: Annotated[int, checks.integer(1)]
    fuzzy: Annotated[Fuzzy | None, Read(Fuzzy.read)] = None

Reading forgives form as the engine's parser does: null counts as absent, an integral double as an integer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform, get_type_hints
from uuid import UUID

from bson.binary import Binary

from atlas_rag.errors import CallError, Code
from atlas_rag.quick_init import written_init
from atlas_rag.stages.vector import Vector

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
class _Plan:
    """The options of a class by field, in order, read off its fields once."""

    checks: tuple[Check, ...]
    """By field: all its checks in one."""
    shown: tuple[str, ...]
    """By field: the name in messages."""
    wires: Mapping[str, str]
    """By field: the name on the wire."""
    readers: Mapping[str, tuple[str, Reader | None]]
    """By name on the wire: the field, and how it is read."""
    required: frozenset[str]
    """Names on the wire of what has no default."""


class _Planned:
    """The plan of a class, read when it is first asked for: annotations may name classes that come later."""

    def __get__(self, instance: object, owner: type[WireModel]) -> _Plan:
        plan = _read_plan(owner)
        type.__setattr__(owner, "_plan", plan)
        return plan


DOCUMENT = (dict, Mapping)
"""What is a document: `Mapping` alone says the same, and is many times slower to ask."""

PLAIN = frozenset((str, int, float, bool, list, Vector))
"""Types whose values stand on the wire as they are."""


def _read_plan(owner: type[WireModel]) -> _Plan:
    fields = dataclasses.fields(cast(Any, owner))
    hints = get_type_hints(owner, include_extras=True)
    extras = {one.name: getattr(hints[one.name], "__metadata__", ()) for one in fields}
    wires = {name: _attribute(extra, "name") or camel(name) for name, extra in extras.items()}
    prefix = f"{owner.label}." if owner.label else ""
    return _Plan(
        checks=tuple(_one_check(tuple(filter(callable, extra))) for extra in extras.values()),
        shown=tuple(prefix + wire for wire in wires.values()),
        wires=wires,
        readers={wires[name]: (name, _attribute(extra, "reader")) for name, extra in extras.items()},
        required=frozenset(wires[one.name] for one in fields if one.default is dataclasses.MISSING),
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


class WireModel:
    """Base of every value with a wire form. Subclasses are frozen, keyword-only dataclasses.

    A value holds the options that were given; the others stand in the class as their defaults.
    """

    label: ClassVar[str] = ""
    """What messages call this value, such as `$vectorSearch` or `text`."""
    release: ClassVar[str] = "6.0"
    """The lowest server series that knows it."""
    _plan: ClassVar[Any] = _Planned()

    def __repr__(self) -> str:
        given = (f"{name}={value!r}" for name, value in vars(self).items())
        return f"{type(self).__name__}({', '.join(given)})"

    def validate(self) -> None:
        """Rules between options; raises `CallError` INVALID_STAGE."""

    def spell(self) -> dict[str, Any]:
        """The document on the wire, without the enclosing name."""
        wires, document = self._plan.wires, {}
        for name, value in self.__dict__.items():
            if type(value) not in PLAIN:
                value = value.nested() if isinstance(value, WireModel) else spelled(value)
            document[wires[name]] = value
        return document

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
        plan = cls._plan
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
    """The decorator of every `WireModel` class: a frozen, keyword-only dataclass."""
    made = dataclasses.dataclass(frozen=True, kw_only=True, init=False, repr=False)(cls)
    cast(Any, made)._plan = _Planned()  # not that of a class above
    cast(Any, made).__init__ = _constructor(cast(Any, made))
    return made


def _constructor(owner: type[WireModel]) -> Callable[..., None]:
    """Writes out the constructor, as `dataclasses` does: one loop for all classes would take twice as long.

    An option with the default None is checked and kept if it is not None, every other one always. The checks
    are looked up when the first value is made.
    """
    names: dict[str, Any] = {"_ready": False}
    body = ["if not _ready: _prepare()", "_kept = self.__dict__"]
    fields = dataclasses.fields(cast(Any, owner))
    for field in fields:
        name, margin = field.name, ""
        if field.default is None:
            body.append(f"if {name} is not None:")
            margin = " "
        body += [f"{margin}_check_{name}({name}, _shown_{name})", f"{margin}_kept['{name}'] = {name}"]

    def prepare() -> None:
        for field, check, shown in zip(fields, owner._plan.checks, owner._plan.shown, strict=True):
            names[f"_check_{field.name}"], names[f"_shown_{field.name}"] = check, shown
        names["_ready"] = True

    names["_prepare"] = prepare
    return written_init(owner, [*body, "self.validate()"], names, keyword_only=True)


def spelled(value: Any) -> Any:
    """A field's value on the wire: nested values spelled, tuples as arrays, the rest as it is."""
    if isinstance(value, WireModel):
        return value.nested()
    if isinstance(value, tuple):
        return [item if type(item) in PLAIN else spelled(item) for item in value]
    if isinstance(value, dict):
        return {key: item if type(item) in PLAIN else spelled(item) for key, item in value.items()}
    # Subtype 4 whatever the client's uuidRepresentation, which may refuse a native UUID.
    return Binary.from_uuid(value) if isinstance(value, UUID) else value


def raw_parts(value: Any) -> Iterator[str]:
    """Names of what is passed through unread inside a field's value."""
    if isinstance(value, WireModel):
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
