"""Where an operator looks: a path, a multi of a path, a wildcard, or several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Spelled, frozen, invalid, spelled_class


@spelled_class
class Multi(Spelled):
    """One `multi` analyzer of a string field.

    Args:
        value: dotted path.
        multi: name under the field's `multi`.
    """

    label: ClassVar[str] = "path"

    value: Annotated[str, checks.text]
    multi: Annotated[str, checks.text]


@spelled_class
class Wildcard(Spelled):
    """Every indexed string path that fits.

    Args:
        wildcard: with at least one `*` (any run, dots included) and no `**`.
    """

    label: ClassVar[str] = "path"

    wildcard: Annotated[str, checks.text]

    def validate(self) -> None:
        if "*" not in self.wildcard or "**" in self.wildcard:
            raise invalid("A wildcard path has no '*' or a '**'", "a pattern such as 'meta.*'")


OnePath: TypeAlias = str | Multi | Wildcard
Path: TypeAlias = OnePath | tuple[OnePath, ...]


def path(value: Any, name: str) -> None:
    """A path, a `Multi`, a `Wildcard`, or a non-empty tuple of them."""
    several = value if isinstance(value, tuple) else (value,)
    if not several or not all(isinstance(one, str | Multi | Wildcard) for one in several):
        raise invalid(f"{name} is not a path", "a string, Multi, Wildcard, or a non-empty tuple of them")


def read_path(value: Any) -> Path:
    """Reads every wire form of a path."""
    if isinstance(value, list):
        return tuple(_read_one(one) for one in value)
    return _read_one(value)


def _read_one(value: Any) -> OnePath:
    if isinstance(value, Mapping):
        return Wildcard.read(value) if "wildcard" in value else Multi.read(value)
    return str(frozen(value))
