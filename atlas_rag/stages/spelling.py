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
from atlas_rag.grammar.releases import needed

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
    """One option of a class, as its field and the annotation of the field declare it."""

    field: str
    wire: str
    shown: str
    """The name in messages."""
    checks: tuple[Check, ...]
    reader: Reader | None
    required: bool
    may_be_none: bool
    """Whether None is its default, which is neither checked nor sent."""


DOCUMENT = (dict, Mapping)
"""What is a document: `Mapping` alone says the same, and is many times slower to ask."""


_OPTIONS: dict[type[WireModel], tuple[_Option, ...]] = {}


def _options(owner: type[WireModel]) -> tuple[_Option, ...]:
    """The options of a class, read when first asked for: annotations may name classes that come later."""
    if owner not in _OPTIONS:
        hints = get_type_hints(owner, include_extras=True)
        prefix = f"{owner.label}." if owner.label else ""
        fields = dataclasses.fields(cast(Any, owner))
        _OPTIONS[owner] = tuple(_option(one, hints[one.name], prefix) for one in fields)
    return _OPTIONS[owner]


def _option(field: dataclasses.Field[Any], hint: Any, prefix: str) -> _Option:
    extras = getattr(hint, "__metadata__", ())
    wire = _attribute(extras, "name") or camel(field.name)
    return _Option(
        field=field.name,
        wire=wire,
        shown=prefix + wire,
        checks=tuple(filter(callable, extras)),
        reader=_attribute(extras, "reader"),
        required=field.default is dataclasses.MISSING,
        may_be_none=field.default is None,
    )


def _attribute(extras: tuple[Any, ...], attribute: str) -> Any:
    return next((getattr(extra, attribute) for extra in extras if hasattr(extra, attribute)), None)


class WireModel:
    """Base of every value with a wire form. Subclasses are frozen, keyword-only dataclasses."""

    label: ClassVar[str] = ""
    """What messages call this value, such as `$vectorSearch` or `text`."""

    @classmethod
    def release(cls) -> str:
        """The lowest server series that knows it."""
        return ".".join(map(str, needed(cls.label)))

    def __post_init__(self) -> None:
        for option, value in self._given():
            for check in option.checks:
                check(value, option.shown)
        self.validate()

    def _given(self) -> list[tuple[_Option, Any]]:
        """The options that have a value, in order."""
        options = [(option, getattr(self, option.field)) for option in _options(type(self))]
        return [(option, value) for option, value in options if value is not None or not option.may_be_none]

    def __repr__(self) -> str:
        given = (f"{option.field}={value!r}" for option, value in self._given())
        return f"{type(self).__name__}({', '.join(given)})"

    def validate(self) -> None:
        """Rules between options; raises `CallError` INVALID_STAGE."""

    def spell(self) -> dict[str, Any]:
        """The document on the wire, without the enclosing name."""
        return {option.wire: spelled(value) for option, value in self._given()}

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
        options = {option.wire: option for option in _options(cls)}
        unknown = [name for name in document if name not in options]
        if unknown:
            raise invalid(
                f"{cls.label or cls.__name__} has an unknown option {unknown[0]!r}",
                f"one of {', '.join(options)}",
            )
        missing = sorted(wire for wire, one in options.items() if one.required and wire not in document)
        if missing:
            raise invalid(f"{cls.label or cls.__name__} has no {missing[0]!r}", "every required option")
        return cls(**{options[wire].field: _read(options[wire], value) for wire, value in document.items()})


def _read(option: _Option, value: Any) -> Any:
    return frozen(value) if option.reader is None or value is None else option.reader(value)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclasses.field,))
def spelled_class(cls: type[Value]) -> type[Value]:
    """The decorator of every `WireModel` class: a frozen, keyword-only dataclass."""
    return dataclasses.dataclass(frozen=True, kw_only=True, repr=False)(cls)


def spelled(value: Any) -> Any:
    """A field's value on the wire: nested values spelled, tuples as arrays, the rest as it is."""
    if isinstance(value, WireModel):
        return value.nested()
    if isinstance(value, tuple):
        return [spelled(item) for item in value]
    if isinstance(value, dict):
        return {key: spelled(item) for key, item in value.items()}
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
