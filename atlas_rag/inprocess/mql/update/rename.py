"""`$rename`: a value leaves one path and appears at another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.update.tree import Branch, Change, Document, Occasion, is_index, plant
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.mql.values.paths import overlap
from atlas_rag.inprocess.rendering import render_field


@dataclass(frozen=True, slots=True)
class Arrival(Change):
    """The new place: takes the value that the source had before the update."""

    source: str
    target: str

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        moved = _source_value(occasion.document, self.source)
        if moved is MISSING:
            return value
        _check_target(occasion.document, self.target)
        return moved

    def creates(self, occasion: Occasion) -> bool:
        return _source_value(occasion.document, self.source) is not MISSING


@dataclass(frozen=True, slots=True)
class Departure(Change):
    """The old place: empty afterwards."""

    source: str

    def apply(self, value: Any, path: str, occasion: Occasion) -> Any:
        _source_value(occasion.document, self.source)
        return MISSING

    def creates(self, occasion: Occasion) -> bool:
        return False


def plant_rename(root: Branch, source: str, target: Any) -> None:
    """Reads one field of `$rename` into a tree. Raises 2 and 40."""
    if not isinstance(target, str):
        raise CommandError(2, f"The 'to' field for $rename must be a string: {render_field(source, target)}")
    plant(root, source, Departure(source))
    said = render_field(source, target)
    if source == target:
        raise CommandError(2, f"The source and target field for $rename must differ: {said}")
    if overlap(source, target):
        raise CommandError(2, f"The source and target field for $rename must not be on the same path: {said}")
    for path, role in ((source, "source"), (target, "destination")):
        if is_dynamic(path):
            raise CommandError(2, f"The {role} field for $rename may not be dynamic: {path}")
    plant(root, target, Arrival(source, target))


def is_dynamic(path: str) -> bool:
    """Whether a path stands for array elements that an update finds: `a.$`, `a.$[]`, `a.$[x]`."""
    return any(name == "$" or name.startswith("$[") for name in path.split("."))


def _source_value(document: Document, path: str) -> Any:
    """Returns what stands at a path. Raises 2 where it is inside an array, 28 where nothing can be."""
    value: Any = document
    name = array = ""
    for component in path.split("."):
        if isinstance(value, list) and is_index(component):
            array = array or name
            value = value[int(component)] if int(component) < len(value) else MISSING
        elif isinstance(value, dict):
            value = value.get(component, MISSING)
        elif value is not MISSING:
            element = render_field(name, value)
            text = f"cannot use the part ({name} of {path}) to traverse the element ({{{element}}})"
            raise CommandError(28, text)
        name = component
    if array and value is not MISSING:
        raise _inside_array("source", path, document, array)
    return value


def _check_target(document: Document, path: str) -> None:
    """Refuses a target inside an array. Raises 2."""
    value: Any = document
    name = ""
    for component in path.split("."):
        if isinstance(value, list):
            raise _inside_array("destination", path, document, name)
        value = value.get(component, MISSING) if isinstance(value, dict) else MISSING
        name = component


def _inside_array(role: str, path: str, document: Document, array: str) -> CommandError:
    identifier = render_field("_id", document.get("_id"))
    return CommandError(
        2,
        f"The {role} field cannot be an array element, '{path}' in doc with {identifier} has an array field "
        f"called '{array}'",
    )
