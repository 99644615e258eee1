"""Where an operator looks: a path, a multi analyzer of a path, a wildcard, or several."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import WireModel, frozen, invalid, spelled_class


@spelled_class
class MultiPath(WireModel):
    """One `multi` analyzer of a string field.

    Args:
        value: dotted path.
        multi: name under the field's `multi`, without dots; without it the field itself.
    """

    label: ClassVar[str] = "path"

    value: Annotated[str, checks.word]
    multi: Annotated[str | None, checks.word] = None

    def validate(self) -> None:
        if self.multi is not None and "." in self.multi:
            raise invalid(f"path.multi is {self.multi!r}", "a name without '.'")


@spelled_class
class WildcardPath(WireModel):
    """Every indexed string path that fits.

    Args:
        wildcard: with at least one `*` (any run, dots included) and no `**`.
    """

    label: ClassVar[str] = "path"

    wildcard: Annotated[str, checks.word]

    def validate(self) -> None:
        if "*" not in self.wildcard or "**" in self.wildcard:
            raise invalid("A wildcard path has no '*' or a '**'", "a pattern such as 'meta.*'")


OnePath: TypeAlias = str | MultiPath | WildcardPath
Path: TypeAlias = OnePath | tuple[OnePath, ...]


def path(value: Any, name: str) -> None:
    """A path, a `MultiPath`, a `WildcardPath`, or a non-empty tuple of them."""
    several = value if isinstance(value, tuple) else (value,)
    if not several or not all(map(_is_path, several)):
        raise invalid(f"{name} is not a path", "a string, MultiPath, WildcardPath, or a non-empty tuple")
    for one in several:
        if isinstance(one, str):
            checks.word(one, name)


def _is_path(value: Any) -> bool:
    return bool(value) if isinstance(value, str) else isinstance(value, MultiPath | WildcardPath)


def names_of(value: Any) -> Iterator[str]:
    """The paths, values and patterns of a path in any of its forms."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, MultiPath):
            yield one.value
        else:
            yield one.wildcard if isinstance(one, WildcardPath) else one


def read_path(value: Any) -> Any:
    """Reads every wire form of a text path; what is no path is left to the check."""
    if isinstance(value, list):
        return tuple(map(_read_one, value))
    return _read_one(value)


def _read_one(value: Any) -> Any:
    if isinstance(value, Mapping):
        given = {name: part for name, part in value.items() if name != "wildcard" or part is not None}
        return WildcardPath.read(given) if "wildcard" in given else MultiPath.read(given)
    return frozen(value)


def read_field_path(value: Any) -> Any:
    """Reads the wire forms of a field path: names, or `{value: name}`, which is the same."""
    if isinstance(value, list):
        return tuple(map(read_field_path, value))
    if isinstance(value, Mapping) and set(value) <= {"value", "multi"} and value.get("multi") is None:
        return value.get("value")
    return value
