"""What every part of an index definition is: a frozen pydantic model with the names of the wire."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Self, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    RootModel,
    StrictBool,
    StrictStr,
    ValidationError,
)
from pydantic.alias_generators import to_camel

from atlas_rag.errors import CallError, Code

MAX_INT32 = 2**31 - 1


def whole(value: Any) -> Any:
    """An integer, or a double without a fraction, which the engine reads as one."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError("must be an integer")
    return int(value) if isinstance(value, float) and value.is_integer() else value


Integer: TypeAlias = Annotated[int, BeforeValidator(whole), Field(le=MAX_INT32)]
Text: TypeAlias = StrictStr
Name: TypeAlias = Annotated[StrictStr, Field(min_length=1)]
Flag: TypeAlias = StrictBool


class Part(BaseModel):
    """Base of all parts. Options are snake_case here and camelCase on the wire; one that is None is not sent.

    Raises:
        pydantic.ValidationError: a ValueError, for an unknown or missing option or a value out of bounds.
    """

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        alias_generator=to_camel,
        validate_by_name=True,
        validate_by_alias=True,
        hide_input_in_errors=True,
    )

    def to_definition(self) -> dict[str, Any]:
        """The part as `createSearchIndexes` takes it."""
        return self.model_dump(mode="json", by_alias=True, exclude_none=True)

    @classmethod
    def from_definition(cls, document: Any) -> Self:
        """Reads the form that `to_definition` writes; null counts as absent.

        Raises:
            CallError: INVALID_DEFINITION, with every problem.
        """
        try:
            return cls.model_validate(document)
        except ValidationError as error:
            problems = "; ".join(_problem(one) for one in error.errors())
            raise CallError(
                f"The definition cannot be read: {problems}",
                expected="a definition as createSearchIndexes takes it",
                next_step="`atlas-rag check` says it in the engine's words",
                code=Code.INVALID_DEFINITION,
            ) from None

    def __repr_args__(self) -> Iterator[tuple[str | None, Any]]:
        """Only what was given; the type is in the name of the class."""
        for name, value in super().__repr_args__():
            if value is not None and name != "type":
                yield name, value


def _problem(error: Any) -> str:
    place = ".".join(str(step) for step in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])


class RawPart(RootModel[dict[str, Any]]):
    """A field, filter or tokenizer passed through as it is, for syntax newer than this library."""

    model_config = ConfigDict(frozen=True)

    @property
    def type(self) -> str:
        """The name on the wire."""
        return str(self.root.get("type"))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.root!r})"

    def __hash__(self) -> int:
        return hash(self.type)


def raw_parts(value: Any) -> Iterator[str]:
    """Types of the raw parts inside a value."""
    if isinstance(value, RawPart):
        yield value.type
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from raw_parts(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from raw_parts(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from raw_parts(item)


def kind_by_type(raw: frozenset[str]) -> Any:
    """A discriminator by `type`.

    Args:
        raw: types without a class, which are read as raw parts.
    """

    def kind(value: Any) -> str:
        if isinstance(value, RawPart):
            return "raw"
        name = value.get("type") if isinstance(value, dict) else getattr(value, "type", None)
        return "raw" if str(name) in raw else str(name)

    return kind


def one_or_many(value: Any) -> str:
    """A discriminator between one part and several."""
    return "many" if isinstance(value, list | tuple) else "one"
