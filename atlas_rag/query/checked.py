"""Options as data: each field of a value says how what is given for it is read, and what is refused.

Plain dataclasses underneath, so that nothing heavier is loaded before the first question.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, dataclass_transform

from atlas_rag.errors import CallError
from atlas_rag.query.refusal import nearest, shown, unknown_name
from atlas_rag.query.values import plain_number

Reader = Callable[[str, Any], Any]
"""From what is read, such as "The option 'limit'", and what was given, to the clean value or a refusal."""


def option(read: Reader, *, default: Any = dataclasses.MISSING, repr: bool = True) -> Any:  # noqa: A002
    """A field that is read by a reader; without a default it has to be given."""
    return dataclasses.field(default=default, repr=repr, metadata={"read": read})


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(option,))
class Options:
    """A frozen value made by keyword, whose mistakes are told with the name that was probably meant.

    Subclasses become frozen dataclasses.
    """

    what: ClassVar[str] = "argument"
    hints: ClassVar[Mapping[str, str]] = {}
    """Names from elsewhere, and what they are called here."""
    given: frozenset[str]
    """Names of the fields that were given, not left to their defaults."""

    def __init_subclass__(cls) -> None:
        dataclasses.dataclass(frozen=True, init=False)(cls)

    def __init__(self, **given: Any) -> None:
        """Reads every value.

        Raises:
            CallError: naming the first that is wrong, missing or unknown.
        """
        known = {one.name: one for one in dataclasses.fields(self)}  # type: ignore[arg-type]
        for name in given:
            if name not in known:
                raise unknown_name(self.what, name, known, hint=self.hints.get(name))
        for name, one in known.items():
            if name in given:
                value = one.metadata["read"](f"The {self.what} {name!r}", given[name])
            elif one.default is dataclasses.MISSING:
                raise CallError(
                    f"The {self.what} {name!r} is missing", expected=f"{name}=…", next_step=f"pass {name}"
                )
            else:
                value = one.default
            object.__setattr__(self, name, value)
        object.__setattr__(self, "given", frozenset(given))

    def to_dict(self) -> dict[str, Any]:
        """The fields by name."""
        return {one.name: getattr(self, one.name) for one in dataclasses.fields(self)}  # type: ignore[arg-type]

    @classmethod
    def defaults(cls) -> dict[str, Any]:
        """The default of each field that has one, by name."""
        return {
            one.name: one.default
            for one in dataclasses.fields(cls)  # type: ignore[arg-type]
            if one.default is not dataclasses.MISSING
        }


def refuse(place: str, given: Any, expected: str, next_step: str = "") -> CallError:
    """The error for a value that is not as expected."""
    name = place.rpartition(" ")[2].strip("'")
    return CallError(
        f"{place} is {shown(given)}", expected=expected, next_step=next_step or f"correct {name}"
    )


def optional(read: Reader) -> Reader:
    """None, or what the reader reads."""
    return lambda place, value: None if value is None else read(place, value)


def whole(least: int, most: int | None = None) -> Reader:
    """A whole number within bounds; a float or a bool is none."""
    expected = f"a whole number ≥ {least}" if most is None else f"a whole number from {least} to {most}"

    def read(place: str, value: Any) -> int:
        value = plain_number(value)
        if type(value) is not int or value < least or (most is not None and value > most):
            raise refuse(place, value, expected)
        return value

    return read


def number(holds: Callable[[float], bool], expected: str) -> Reader:
    """A finite number for which the condition holds."""

    def read(place: str, value: Any) -> float:
        value = plain_number(value)
        if type(value) not in (int, float) or not holds(value):
            raise refuse(place, value, expected)
        return float(value)

    return read


def switch(place: str, value: Any) -> bool:
    """True or False, and nothing that could be taken for one of them."""
    value = plain_number(value)
    if not isinstance(value, bool):
        raise refuse(place, value, "True or False")
    return value


def word(known: Iterable[str], make: Callable[[str], Any] = str) -> Reader:
    """One of a few words.

    Args:
        make: what the word becomes, such as a member of an enumeration.
    """
    words = tuple(map(str, known))
    expected = f"{', '.join(map(repr, words[:-1]))} or {words[-1]!r}"

    def read(place: str, value: Any) -> Any:
        if not isinstance(value, str) or value not in words:
            meant = nearest(value, words)
            raise refuse(place, value, expected, f"did you mean {meant!r}?" if meant else "")
        return make(value)

    return read


def value_of(kind: type[Options]) -> Reader:
    """A value of this kind, or a mapping of its fields."""

    def read(place: str, value: Any) -> Any:
        if isinstance(value, kind):
            return value
        if isinstance(value, Mapping):
            return kind(**value)
        raise refuse(place, value, f"{kind.__name__}(…), or a mapping of its arguments")

    return read
