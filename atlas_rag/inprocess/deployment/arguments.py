"""Arguments of commands, checked as the server's command parser checks them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.deployment.collations import read_collation
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import numbers, type_name

OBJECT, ARRAY, STRING, FLAG, ANY = "object", "array", "string", "bool", "any"
BOOL, INTEGER, OBJECTS = "bool or number", "integer", "array of objects"

# Options that every command takes. They steer sessions, routing and durability, which the caller of a
# command handles (`writeConcern`), or have nothing to steer in one process.
GENERIC = frozenset(
    {
        *("$db", "$clusterTime", "$configServerState", "$readPreference", "$audit", "$client", "lsid"),
        *("apiDeprecationErrors", "apiStrict", "apiVersion", "autocommit", "comment", "maxTimeMS"),
        *("maxTimeMSOpOnly", "readConcern", "startTransaction", "stmtId", "stmtIds", "txnNumber"),
        *("writeConcern", "bypassDocumentValidation", "serialization_context", "rawData"),
    }
)

LARGEST_WRITE_BATCH = 100_000
"""Statements that one write command may hold."""

_EXPECTED = {
    BOOL: "s '[bool, long, int, decimal, double']",
    INTEGER: "s '[long, int, decimal, double']",
    OBJECTS: " 'array'",
}
_NUMERIC = frozenset({"int", "long", "double", "decimal"})


@dataclass(frozen=True)
class Fields:
    """The fields that a command, or a part of one, takes.

    Args:
        name: how the server calls it in error texts.
        kinds: field to one of the kinds above; `collation` becomes a `Collation`, or None.
        required: must be there.
        command: generic options are allowed besides, and the first field is the command's own.
    """

    name: str
    kinds: Mapping[str, str]
    required: tuple[str, ...] = ()
    command: bool = True

    def read(self, document: Any) -> dict[str, Any]:
        """Returns the given fields.

        Raises:
            CommandError: 40415 unknown field, 40414 missing field, 14 wrong type, 115 collation.
        """
        if not isinstance(document, Mapping):
            found = type_name(document)
            raise CommandError(
                14, f"BSON field '{self.name}' is the wrong type '{found}', expected type 'object'"
            )
        given: dict[str, Any] = {}
        own = next(iter(document), None) if self.command else None
        for field, value in document.items():
            if field == own or (self.command and field in GENERIC):
                continue
            if field not in self.kinds:
                raise CommandError(40415, f"BSON field '{self.name}.{field}' is an unknown field.")
            if value is None and field != "update":
                continue
            given[field] = self._checked(field, value)
        for field in self.required:
            if field not in given:
                raise CommandError(40414, f"BSON field '{self.name}.{field}' is missing but a required field")
        if "collation" in given:
            given["collation"] = read_collation(given["collation"])
        return given

    def _checked(self, field: str, value: Any) -> Any:
        kind = self.kinds[field]
        found = type_name(value)
        if kind == ANY or found == kind or (kind == BOOL and (found == FLAG or found in _NUMERIC)):
            return value
        if kind == OBJECTS and found == ARRAY:
            return [self._object(f"{field}.{at}", item) for at, item in enumerate(value)]
        if kind == INTEGER and found in _NUMERIC:
            return self._integer(field, value)
        raise self._wrong_type(field, found, _EXPECTED.get(kind, f" '{kind}'"))

    def _object(self, field: str, value: Any) -> Any:
        if isinstance(value, Mapping):
            return value
        raise self._wrong_type(field, type_name(value), " 'object'")

    def _wrong_type(self, field: str, found: str, expected: str) -> CommandError:
        text = f"BSON field '{self.name}.{field}' is the wrong type '{found}', expected type{expected}"
        return CommandError(14, text)

    def _integer(self, field: str, value: Any) -> int:
        """Returns a number as an integer, cut off at the point. Raises 2 for what is none of 64 bits."""
        try:
            whole = int(numbers.to_decimal(value))
        except (ValueError, OverflowError):  # not a number, or infinite
            whole = 1 << 63
        if not numbers.fits_long(whole):
            raise CommandError(
                2, f"BSON field '{self.name}.{field}' cannot be represented as a long: {value}"
            )
        return whole


def not_negative(arguments: Mapping[str, Any], *names: str) -> None:
    """Refuses numbers below 0. Raises 51024."""
    for name in names:
        if name in arguments and arguments[name] < 0:
            raise CommandError(
                51024, f"BSON field '{name}' value must be >= 0, actual value '{arguments[name]}'"
            )


_CURSOR = Fields("cursor", {"batchSize": INTEGER}, command=False)


def batch_size(arguments: Mapping[str, Any]) -> int | None:
    """Returns `cursor.batchSize` of a command, None where it is left open."""
    options = _CURSOR.read(arguments.get("cursor", {}))
    not_negative(options, "batchSize")
    return options.get("batchSize")


def collection_name(command: Mapping[str, Any], database: str) -> str:
    """Returns the collection that a command names in its first field. Raises 2 or 73."""
    name = next(iter(command.values()))
    if not isinstance(name, str):
        raise CommandError(2, f"collection name has invalid type {type_name(name)}")
    if not name or name.startswith(".") or "\0" in name:
        raise CommandError(73, f"Invalid namespace specified '{database}.{name}'")
    return name
