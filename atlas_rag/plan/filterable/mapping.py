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
        words: what is there, for people.
        listed: every type definition as it stands there; empty where the mapping is dynamic.
        known: whether the definition is understood so far; else there may be more than `types` says.
    """

    types: tuple[Spec, ...]
    words: str
    listed: tuple[Spec, ...] = ()
    known: bool = True

    def of(self, name: str) -> Spec | None:
        """The definition of this type, or None."""
        return next((one for one in self.types if one["type"] == name), None)


_UNREADABLE: Final = Place((), UNREADABLE, known=False)


def place(definition: Spec, path: str) -> Place:
    """What the definition of a search index has at a path."""
    names = path.split(".")
    if any(name.isdecimal() for name in names):
        return Place((), "no positions of arrays, which a search index does not keep")
    level: Any = definition.get("mappings")
    for position, name in enumerate(names):
        if not _is_document(level):
            return _UNREADABLE
        fields = level.get("fields") or {}
        if name not in fields:
            return _dynamic(definition, level.get("dynamic"))
        listed = fields[name] if isinstance(fields[name], (list, tuple)) else [fields[name]]
        if not all(isinstance(one, Mapping) and isinstance(one.get("type"), str) for one in listed):
            return _UNREADABLE
        if position == len(names) - 1:
            return _static(tuple(listed))
        documents = [one for one in listed if one["type"] == "document"]
        if len(documents) != 1:
            return _below(".".join(names[: position + 1]), listed)
        level = documents[0]
    return _UNREADABLE


def _is_document(level: Any) -> bool:
    return (
        isinstance(level, Mapping)
        and level.keys() <= _DOCUMENT_KEYS
        and isinstance(level.get("fields") or {}, Mapping)
    )


def _static(listed: tuple[Spec, ...]) -> Place:
    known = tuple(one for one in listed if _is_known(one))
    words = " and ".join(map(_words, listed)) or "no type"
    if len({one["type"] for one in listed}) < len(listed):
        return Place((), words, listed, known=False)
    return Place(known, words, listed, known=len(known) == len(listed))


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
    words = f"nothing below {parent!r}, which is {' and '.join(map(_words, listed)) or 'no type'}"
    return Place((), words, known=all(map(_is_known, listed)))


def _dynamic(definition: Spec, setting: Any) -> Place:
    """What a document gives to fields that it does not list, and to everything below them."""
    if setting is None or setting is False:
        return Place((), "nothing: its mapping is static and does not list the path")
    if setting is True:
        types = tuple({"type": name} for name in DYNAMIC)
        return Place(types, "what dynamic: true gives, without 'token'")
    if not isinstance(setting, Mapping) or setting.keys() != {"typeSet"}:
        return _UNREADABLE
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
        words = f"a dynamic mapping by a type set {setting['typeSet']!r} that it does not define"
        return Place((), words, known=False)
    given = _static(tuple(listed))
    return Place(
        given.types, f"what the type set {setting['typeSet']!r} gives: {given.words}", known=given.known
    )
