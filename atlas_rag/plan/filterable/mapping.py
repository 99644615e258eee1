"""What a search index has at a path, read from its definition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from atlas_rag.grammar.field_types import DYNAMIC, FIELD_TYPES

Spec = Mapping[str, Any]

UNREADABLE: Final = "a definition that this version cannot read"
_DOCUMENT_KEYS: Final = frozenset({"type", "dynamic", "fields"})


@dataclass(frozen=True, slots=True)
class Place:
    """The types at a path.

    Args:
        types: type definitions that are understood.
        listed: every type definition as it stands there; empty where the mapping is dynamic.
        words: what is there, for people.
    """

    types: tuple[Spec, ...]
    words: str
    listed: tuple[Spec, ...] = ()

    def of(self, name: str) -> Spec | None:
        """The definition of this type, or None."""
        return next((one for one in self.types if one["type"] == name), None)


def place(definition: Spec, path: str) -> Place:
    """What the definition of a search index has at a path."""
    names = path.split(".")
    if any(name.isdecimal() for name in names):
        return Place((), "no positions of arrays, which a search index does not keep")
    level: Any = definition.get("mappings")
    for position, name in enumerate(names):
        if not _is_document(level):
            return Place((), UNREADABLE)
        fields = level.get("fields") or {}
        if name not in fields:
            return _dynamic(definition, level.get("dynamic"))
        listed = fields[name] if isinstance(fields[name], (list, tuple)) else [fields[name]]
        if not all(isinstance(one, Mapping) and isinstance(one.get("type"), str) for one in listed):
            return Place((), UNREADABLE)
        if position == len(names) - 1:
            return _static(tuple(listed))
        documents = [one for one in listed if one["type"] == "document"]
        if len(documents) != 1:
            return _below(".".join(names[: position + 1]), listed)
        level = documents[0]
    return Place((), UNREADABLE)


def _is_document(level: Any) -> bool:
    return (
        isinstance(level, Mapping)
        and level.keys() <= _DOCUMENT_KEYS
        and isinstance(level.get("fields") or {}, Mapping)
    )


def _static(listed: tuple[Spec, ...]) -> Place:
    known = tuple(one for one in listed if _is_known(one))
    words = " and ".join(map(_words, listed)) or "no type"
    return Place(known if len({one["type"] for one in listed}) == len(listed) else (), words, listed)


def _is_known(spec: Spec) -> bool:
    """Whether the type, and every option, is one whose meaning is known."""
    kind = FIELD_TYPES.get(spec["type"])
    return kind is not None and spec.keys() <= kind.options | {"type"}


def _words(spec: Spec) -> str:
    options = {name: value for name, value in spec.items() if name not in ("type", "fields")}
    told = ", ".join(f"{name}: {value!r}" for name, value in options.items())
    known = "" if _is_known(spec) else "unknown "
    return f"{known}{spec['type']!r}" + (f" ({told})" if told else "")


def _below(parent: str, listed: list[Spec]) -> Place:
    if any(one["type"] == "embeddedDocuments" for one in listed):
        return Place(
            (), f"only what is inside the embedded documents {parent!r}, which are searched one by one"
        )
    return Place((), f"nothing below {parent!r}, which is {' and '.join(map(_words, listed)) or 'no type'}")


def _dynamic(definition: Spec, setting: Any) -> Place:
    """What a document gives to fields that it does not list, and to everything below them."""
    if setting is None or setting is False:
        return Place((), "nothing: its mapping is static and does not list the path")
    if setting is True:
        types = tuple({"type": name} for name in DYNAMIC)
        return Place(types, "what dynamic: true gives, without 'token'")
    if not isinstance(setting, Mapping) or setting.keys() != {"typeSet"}:
        return Place((), UNREADABLE)
    sets = definition.get("typeSets")
    found = [
        one
        for one in (sets if isinstance(sets, (list, tuple)) else ())
        if isinstance(one, Mapping) and one.get("name") == setting["typeSet"]
    ]
    listed = found[0].get("types") if len(found) == 1 else None
    if not isinstance(listed, (list, tuple)) or not all(
        isinstance(one, Mapping) and isinstance(one.get("type"), str) for one in listed
    ):
        return Place((), f"a dynamic mapping by a type set {setting['typeSet']!r} that it does not define")
    static = _static(tuple(listed))
    return Place(static.types, f"what the type set {setting['typeSet']!r} gives: {static.words}")
