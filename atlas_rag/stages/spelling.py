"""How a frozen value is spelled as a document and read back: one declaration per class, both directions.

A class lists its options as dataclass fields. The wire name is the field name in camelCase; an option that is
None is left out, never sent as null. `option` adds what is not the rule: another wire name, a check, a reader
for nested values, or `always` where null itself has a meaning.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self, TypeVar, cast, dataclass_transform

from atlas_rag.errors import CallError, Code

Check = Callable[[Any, str], None]
Reader = Callable[[Any], Any]
Value = TypeVar("Value")
MISSING: Any = dataclasses.MISSING


def option(
    default: Any = None,
    *,
    wire: str | None = None,
    check: Check | None = None,
    read: Reader | None = None,
    always: bool = False,
) -> Any:
    """Declares one option of a `Spelled` class.

    Args:
        default: value when not given; `MISSING` makes the option required.
        wire: name on the wire, if it is not the field's name in camelCase.
        check: called with the value and the option's name unless the value is None; raises `CallError`.
        read: turns the wire form into the field's value; lists become tuples by themselves.
        always: spell the option even when it is None (an explicit null).
    """
    metadata = {"wire": wire, "check": check, "read": read, "always": always}
    if default is MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


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
        fields = [one for one in dataclasses.fields(cast(Any, owner)) if one.init]
        names = {one.name: one.metadata.get("wire") or camel(one.name) for one in fields}
        plan = _PLANS[owner] = _Plan(
            spelled=tuple((one.name, names[one.name], bool(one.metadata.get("always"))) for one in fields),
            checks=tuple(
                (
                    one.name,
                    f"{owner.label}.{names[one.name]}" if owner.label else names[one.name],
                    one.metadata["check"],
                    bool(one.metadata.get("always")),
                )
                for one in fields
                if one.metadata.get("check")
            ),
            readers={names[one.name]: (one.name, one.metadata.get("read")) for one in fields},
            required=frozenset(names[one.name] for one in fields if one.default is MISSING),
        )
    return plan


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


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(option, dataclasses.field))
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
