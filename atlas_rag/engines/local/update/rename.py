"""`$rename`: a value leaves one path and appears at another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render_field
from atlas_rag.engines.local.update.tree import Branch, Change, Document, Occasion, is_index, plant
from atlas_rag.engines.local.values import MISSING


@dataclass(frozen=True, slots=True)
class Arrival(Change):
    """The new place: takes the value that the source had before the update."""

    source: str
    target: str

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        moved = _value(occasion.document, self.source, "source")
        if moved is MISSING:
            return value
        _value(occasion.document, self.target, "destination")
        return moved

    def creates(self, occasion: Occasion) -> bool:
        return _value(occasion.document, self.source, "source") is not MISSING


@dataclass(frozen=True, slots=True)
class Departure(Change):
    """The old place: empty afterwards."""

    source: str

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        _value(occasion.document, self.source, "source")
        return MISSING

    def creates(self, occasion: Occasion) -> bool:
        return False


def plant_rename(root: Branch, source: str, target: Any) -> None:
    """Reads one field of `$rename` into a tree. Raises 2 and 40."""
    if not isinstance(target, str):
        raise CommandError(2, f"The 'to' field for $rename must be a string: {render_field(source, target)}")
    for path, role in ((source, "source"), (target, "destination")):
        if any(name == "$" or name.startswith("$[") for name in path.split(".")):
            raise CommandError(2, f"The {role} field for $rename may not be dynamic: {path}")
    if source == target:
        raise CommandError(
            2, f"The source and target field for $rename must differ: {render_field(source, target)}"
        )
    if source.startswith(target + ".") or target.startswith(source + "."):
        raise CommandError(
            2,
            "The source and target field for $rename must not be on the same path: "
            f"{render_field(source, target)}",
        )
    plant(root, source, Departure(source))
    plant(root, target, Arrival(source, target))


def _value(document: Document, path: str, role: str) -> Any:
    """Returns what stands at a path. Raises 2 where it goes through an array, 28 where nothing can be."""
    value: Any = document
    name = ""
    for component in path.split("."):
        if isinstance(value, list) and (role == "destination" or is_index(component)):
            identifier = render_field("_id", document.get("_id"))
            raise CommandError(
                2,
                f"The {role} field cannot be an array element, '{path}' in doc with {identifier} has an "
                f"array field called '{name}'",
            )
        if value is MISSING or (not isinstance(value, dict) and role == "destination"):
            return MISSING
        if not isinstance(value, dict):
            element = render_field(name, value)
            raise CommandError(
                28, f"cannot use the part ({name} of {path}) to traverse the element ({{{element}}})"
            )
        name = component
        value = value.get(component, MISSING)
    return value
