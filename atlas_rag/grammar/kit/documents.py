"""Documents: fields in the order the engine reads them, groups that exclude each other, rules across fields.

    FUZZY = Document(
        field("maxEdits", Int32(EDITS)),
        field("prefixLength", Int32(NOT_NEGATIVE)),
    )

The engine stops at its first complaint; a check goes on and appends everything, first things first. A rule
across fields runs only where the fields that it reads are sound. Unknown keys come last, as they do there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Protocol

from atlas_rag.grammar.kit.bson_types import is_document
from atlas_rag.grammar.kit.node import Node
from atlas_rag.grammar.problem import At, Found, Problem, dotted, problem

DocumentRule = Callable[[Mapping[str, Any], At, Found], None]


class Entry(Protocol):
    """A line of a document's grammar."""

    @property
    def names(self) -> tuple[str, ...]:
        """The keys that this line knows."""

    def can_judge(self, at: At, earlier: list[Problem]) -> bool:
        """Whether it can still say something after earlier problems of the same document."""

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        """Append the problems of what this line describes."""


class Field:
    """One named field; null counts as absent."""

    __slots__ = ("name", "names", "node", "required")

    def __init__(self, name: str, node: Node, *, required: bool) -> None:
        self.name, self.node, self.required = name, node, required
        self.names = (name,)

    def can_judge(self, at: At, earlier: list[Problem]) -> bool:
        return True

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        value = document.get(self.name)
        if value is not None:
            self.node.check(value, (at, self.name), found)
        elif self.required:
            found.append(problem((at, self.name), "is required", "required"))


class NullableField(Field):
    """One named field whose null is a value like others."""

    __slots__ = ()

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        if self.name in document:
            self.node.check(document[self.name], (at, self.name), found)
        elif self.required:
            found.append(problem((at, self.name), "is required", "required"))


def field(name: str, node: Node) -> Field:
    """An optional field."""
    return Field(name, node, required=False)


def required(name: str, node: Node) -> Field:
    """A field that must be there and not null."""
    return Field(name, node, required=True)


def nullable(name: str, node: Node, *, required: bool = True) -> NullableField:
    """A field whose null is handed to its node instead of counting as absent."""
    return NullableField(name, node, required=required)


class Group:
    """Fields of which only so many may be given; each is read first, then they are counted."""

    __slots__ = ("_fields", "_least", "_listed", "_most", "_too_many", "names")

    def __init__(
        self,
        fields: tuple[Field, ...],
        *,
        least: int,
        most: int,
        too_many: str,
        listed: tuple[str, ...] = (),
    ) -> None:
        self._fields, self._least, self._most, self._too_many = fields, least, most, too_many
        self.names = tuple(one.name for one in fields)
        self._listed = f"[{', '.join(listed or self.names)}]"

    def can_judge(self, at: At, earlier: list[Problem]) -> bool:
        return True

    def check(self, document: Mapping[str, Any], at: At, found: Found) -> None:
        count = 0
        for one in self._fields:
            value = document.get(one.name)
            if value is not None:
                count += 1
                one.node.check(value, (at, one.name), found)
        if count < self._least:
            quantity = "one" if self._most == 1 else "at least one"
            text = f"{quantity} of {self._listed} must be present"
            found.append(problem(at, text, "one-of", given=tuple(document), known=self.names))
        elif count > self._most:
            text = f"{self._too_many} one of {self._listed} may be present"
            found.append(problem(at, text, "one-of"))


def exactly_one(*fields: Field) -> Group:
    """One of the fields, and only one."""
    return Group(fields, least=1, most=1, too_many="only")


def at_most_one(*fields: Field, listed: tuple[str, ...] = ()) -> Group:
    """One of the fields, or none; `listed`: their names as a refusal orders them, where it is not as read."""
    return Group(fields, least=0, most=1, too_many="at most", listed=listed)


def at_least_one(*fields: Field) -> Group:
    """One of the fields, or several."""
    return Group(fields, least=1, most=len(fields), too_many="")


class Rule:
    """A condition across fields.

    Args:
        check: appends what is wrong.
        reads: the fields whose soundness it relies on; without any, everything read before must be sound.
    """

    __slots__ = ("_reads", "check", "names")

    def __init__(self, check: DocumentRule, *reads: str) -> None:
        self.check, self._reads = check, reads
        self.names: tuple[str, ...] = ()

    def can_judge(self, at: At, earlier: list[Problem]) -> bool:
        places = [dotted((at, name)) for name in self._reads]
        touched = (one.path.startswith(place) for one in earlier for place in places)
        return bool(places) and not any(touched)


class Document:
    """A document with exactly the keys that its entries name.

    Args:
        entries: fields, groups and rules in the engine's reading order.
        open: whether unknown keys are ignored instead of refused.
    """

    __slots__ = ("_steps", "names", "open")

    def __init__(self, *entries: Entry, open: bool = False) -> None:  # noqa: A002  the word of JSON schemas
        self._steps = tuple(_step(entry) for entry in entries)
        self.names = frozenset(name for entry in entries for name in entry.names)
        self.open = open

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        before = len(found)
        for name, check, required, entry in self._steps:
            if entry is not None:
                if len(found) == before or entry.can_judge(at, found[before:]):
                    entry.check(value, at, found)
            elif (item := value.get(name)) is not None:
                check(item, (at, name), found)
            elif required:
                found.append(problem((at, name), "is required", "required"))
        if not (self.open or value.keys() <= self.names):
            found.append(unknown_fields(value, self.names, at))


def _step(entry: Entry) -> tuple[str, Callable[[Any, At, Found], None], bool, Entry | None]:
    """Plain fields are taken apart, so that reading one costs no call of its own."""
    if type(entry) is Field:
        return entry.name, entry.node.check, entry.required, None
    return "", _nothing, False, entry


def _nothing(value: Any, at: At, found: Found) -> None:
    """Stands where an entry has no node of its own."""


def unknown_fields(document: Mapping[str, Any], names: Collection[str], at: At) -> Problem:
    """The refusal of every key of a document that is not among the names."""
    unknown = [key for key in document if key not in names]
    if len(unknown) == 1:
        text = f'unrecognized field "{unknown[0]}"'
    else:
        quoted = ", ".join(f'"{key}"' for key in unknown)
        text = f"unrecognized fields [{quoted}]"
    absent = sorted(name for name in names if name not in document)
    return problem(at, text, "unknown-field", given=unknown, known=absent)
