"""Values compared whole: `token`, `boolean`, `objectId`, `uuid`."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from bson import ObjectId
from bson.binary import UUID_SUBTYPE, Binary

from atlas_rag.inprocess.search.search_index.names import FALSE_TERM, TRUE_TERM, Scope
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.storage.terms import Options

MAX_TOKEN_CHARACTERS = 8191
"""Longer token values are cut."""

_PLAIN = Options()


def is_uuid(value: object) -> bool:
    """Whether a value is a UUID in either of its Python forms."""
    return isinstance(value, uuid.UUID) or (isinstance(value, Binary) and value.subtype == UUID_SUBTYPE)


def uuid_text(value: uuid.UUID | Binary) -> str:
    """Renders a UUID as its 32 hexadecimal digits with dashes."""
    return str(value if isinstance(value, uuid.UUID) else uuid.UUID(bytes=bytes(value)))


def boolean_term(value: bool) -> str:
    """Returns the term a boolean is indexed as."""
    return TRUE_TERM if value else FALSE_TERM


@dataclass(slots=True)
class ExactField:
    """One term per value.

    Args:
        kind: the Lucene kind, part of the field name.
        term_of: the term of a value; None to leave the value out.
        lowercase: the token normalizer; queries apply it too.
    """

    name: str
    kind: str
    accepts: tuple[type, ...]
    term_of: Callable[[Any], str | None]
    lowercase: bool = False

    def index(self, partition: Partition, doc: int, value: Any, *, single: bool) -> None:
        term = self.term_of(value)
        if term is not None:
            partition.term_field(self.name, _PLAIN).buffer.add_terms(doc, (term,))


def token_field(spec: Mapping[str, Any], scope: Scope, path: str) -> ExactField:
    """Reads a `token` mapping."""
    lowercase = spec.get("normalizer") == "lowercase"
    term_of = _lowered if lowercase else _cut
    return ExactField(scope.field("token", path), "token", (str,), term_of, lowercase)


def _cut(value: str) -> str:
    return value[:MAX_TOKEN_CHARACTERS]


def _lowered(value: str) -> str:
    return value.lower()[:MAX_TOKEN_CHARACTERS]


def boolean_field(scope: Scope, path: str) -> ExactField:
    """Makes a `boolean` field."""
    return ExactField(scope.field("boolean", path), "boolean", (bool,), boolean_term)


def object_id_field(scope: Scope, path: str) -> ExactField:
    """Makes an `objectId` field."""
    return ExactField(scope.field("objectId", path), "objectId", (ObjectId,), str)


def uuid_field(scope: Scope, path: str) -> ExactField:
    """Makes a `uuid` field."""
    return ExactField(scope.field("uuid", path), "uuid", (uuid.UUID, Binary), _uuid_or_none)


def _uuid_or_none(value: uuid.UUID | Binary) -> str | None:
    return uuid_text(value) if is_uuid(value) else None
