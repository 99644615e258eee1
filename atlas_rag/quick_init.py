"""Short constructors for values that are made by the dozen in every call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import MISSING, fields
from typing import Any, TypeVar, cast

Value = TypeVar("Value")


def quick_init(owner: type[Value]) -> type[Value]:
    """Rewrites the constructor of a frozen dataclass with slots, so that it fills them directly.

    The one that `dataclasses` writes calls `object.__setattr__` for every field and takes twice as long.
    Fields are positional; keyword-only ones stay with `dataclasses`.
    """
    body: list[str] = []
    names: dict[str, Any] = {}
    for field in fields(cast(Any, owner)):
        name = value = field.name
        if field.default_factory is not MISSING:
            names[f"_make_{name}"] = field.default_factory
            value = f"_make_{name}() if {name} is _default_{name} else {name}"
        names[f"_set_{name}"] = getattr(owner, name).__set__
        body.append(f"_set_{name}(self, {value})")
    if hasattr(owner, "__post_init__"):
        body.append("self.__post_init__()")
    cast(Any, owner).__init__ = written_init(owner, body, names)
    return owner


def written_init(
    owner: type[Any], body: Sequence[str], names: dict[str, Any], *, keyword_only: bool = False
) -> Callable[..., None]:
    """Writes out a constructor that takes the fields of a dataclass, as `dataclasses` does.

    Args:
        body: its lines. A field that a factory makes has the default `MISSING`, called `_default_<name>`.
        names: what the lines refer to; defaults are added.
    """
    parameters = ["self", "*"] if keyword_only and fields(owner) else ["self"]
    for field in fields(owner):
        parameters.append(field.name)
        if field.default is not MISSING or field.default_factory is not MISSING:
            names[f"_default_{field.name}"] = field.default
            parameters[-1] = f"{field.name}=_default_{field.name}"
    source = "\n ".join([f"def __init__({', '.join(parameters)}):", *body])
    exec(source, names)  # noqa: S102 - of field names only
    constructor: Callable[..., None] = names["__init__"]
    constructor.__qualname__ = f"{owner.__qualname__}.__init__"
    constructor.__annotations__ = {field.name: field.type for field in fields(owner)}
    return constructor
