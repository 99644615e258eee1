"""Specifications of ordinary indexes, as `createIndexes` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.values import equal, numbers, type_name
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render, render_field

Specification = Mapping[str, Any]

_KEPT = {
    *("key", "name", "v", "unique", "sparse", "partialFilterExpression", "background", "hidden", "ns"),
    *("2dsphereIndexVersion", "bits", "min", "max", "expireAfterSeconds"),
}
_REFUSED = {
    *("collation", "wildcardProjection", "weights", "default_language"),
    *("language_override", "textIndexVersion", "storageEngine", "bucketSize", "clustered", "prepareUnique"),
}
_OF_IDENTIFIERS = frozenset({"key", "name", "v", "ns", "collation"})
_PLUGINS = {"2dsphere", "2d", "hashed", "text"}
LONGEST_EXPIRY = (1 << 31) - 1
"""Seconds."""
_DOLLARS = {"$**", "$id", "$ref", "$db"}
"""Names that may begin with `$`: a wildcard, and the fields of a database reference."""


def read_specification(given: Any, *, lenient: bool = False) -> dict[str, Any]:
    """Returns a specification in the order in which the server lists it.

    Args:
        lenient: unknown options are left out (`ignoreUnknownIndexOptions`).

    Raises:
        CommandError: 9, 67, 197 as the server; 115 for options that would change what is stored or found
            (`collation`, text indexes).
    """
    if not isinstance(given, Mapping):
        raise CommandError(14, "The elements of the 'indexes' array must be objects")
    if lenient:
        given = {option: value for option, value in given.items() if option in _KEPT | _REFUSED}
    where = f"Error in specification {render(given)} :: caused by :: "
    for option, value in given.items():
        _check_option(option, value, given, where)
        if given.get("key") == {"_id": 1} and option not in _OF_IDENTIFIERS:
            text = f"The field '{option}' is not valid for an _id index specification."
            raise CommandError(197, f"{text} Specification: {render({**given, 'v': 2})}")
    for option in ("key", "name"):
        if option not in given:
            text = f"{where}The '{option}' field is a required property of an index specification"
            raise CommandError(9, text)
    _check_together(given)
    flags = {name: True for name in ("unique", "sparse", "hidden", "background") if given.get(name)}
    partial = {k: given[k] for k in ("partialFilterExpression",) if k in given}
    expiry = {"expireAfterSeconds": read_expiry(given)} if "expireAfterSeconds" in given else {}
    return {"v": 2, "key": dict(given["key"]), "name": given["name"], **flags, **partial, **expiry}


def read_expiry(given: Specification) -> int:
    """Returns the seconds after which documents of an index expire, cut off at the point.

    Raises:
        CommandError: 67, they are no number from 0 to 2³¹ - 1, or the index has several fields.
    """
    seconds = given["expireAfterSeconds"]
    what, spec = "TTL index 'expireAfterSeconds' option", f"Index spec: {render(given)}"
    if not is_number(seconds):
        text = f"{what} must be numeric, but received a type of '{type_name(seconds)}'. {spec}"
        raise CommandError(67, text)
    if numbers.is_nan(seconds):
        return LONGEST_EXPIRY
    if numbers.to_float(seconds) < 0:
        raise CommandError(67, f"{what} cannot be less than 0. {spec}")
    if numbers.to_float(seconds) > LONGEST_EXPIRY:
        raise CommandError(67, f"{what} must be within an acceptable range, try a lower number. {spec}")
    if len(given["key"]) > 1:
        text = "TTL indexes are single-field indexes, compound indexes do not support TTL."
        raise CommandError(67, f"{text} {spec}")
    if list(given["key"]) == ["_id"]:
        text = "The field 'expireAfterSeconds' is not valid for an _id index specification."
        raise CommandError(197, f"{text} Specification: {render({**given, 'v': 2})}")
    return int(numbers.to_float(seconds))


def _check_option(option: str, value: Any, given: Specification, where: str) -> None:
    kind = type_name(value)
    if option in _REFUSED:
        raise CommandError(115, f"index option {option} is not supported by the in-process engine")
    if option not in _KEPT:
        text = f"The field '{option}' is not valid for an index specification. Specification: {render(given)}"
        raise CommandError(197, where + text)
    if option in ("key", "partialFilterExpression") and not isinstance(value, Mapping):
        raise CommandError(14, f"{where}The field '{option}' must be an object, but got {kind}")
    if option == "name" and not isinstance(value, str):
        raise CommandError(14, f"{where}The field 'name' must be a string, but got {kind}")
    if option in ("unique", "sparse", "background") and not (kind == "bool" or is_number(value)):
        text = (
            f"The field '{option} has value {render_field(option, value)}, which is not convertible to bool"
        )
        raise CommandError(14, where + text)
    if option == "hidden" and kind != "bool":
        raise CommandError(14, f"{where}The field 'name' must be a bool, but got {kind}")  # its own words
    if option == "key":
        _check_keys(value, where)
    if option == "partialFilterExpression":
        _check_filter(value, where)


def _check_keys(keys: Mapping[str, Any], where: str) -> None:
    if not keys:
        raise CommandError(67, f"{where}Index keys cannot be empty.")
    for path, direction in keys.items():
        problem = _wrong_direction(direction) or _wrong_path(path)
        if problem:
            raise CommandError(67, where + problem)
        if direction == "text":
            raise CommandError(115, "text indexes are not supported by the in-process engine")


def _wrong_direction(direction: Any) -> str:
    kind = type_name(direction)
    if kind == "string":
        if not direction:
            return "Values in the index key pattern cannot be empty strings"
        return "" if direction in _PLUGINS else f"Unknown index plugin '{direction}'"
    if kind not in ("int", "long", "double", "decimal"):
        allowed = "Only numbers > 0, numbers < 0, and strings are allowed."
        return f"Values in v:2 index key pattern cannot be of type {kind}. {allowed}"
    if numbers.to_float(direction) == 0 or numbers.is_nan(direction):
        return f"Values in the index key pattern cannot be {'NaN' if numbers.is_nan(direction) else 0}."
    return ""


def _wrong_path(path: str) -> str:
    if not path:
        return "Index keys cannot be an empty field."
    names = path.split(".")
    if "" in names:
        return "Index keys cannot contain an empty field."
    if any(name.startswith("$") for name in names if name not in _DOLLARS):
        return "Index key contains an illegal field name: field name starts with '$'."
    return ""


def _check_filter(condition: Mapping[str, Any], where: str) -> None:
    try:
        compile_filter(condition)
    except CommandError as error:
        raise CommandError(error.code, where + error.message) from None


def _check_together(given: Specification) -> None:
    where = f"Error in specification {render({**given, 'v': 2})} :: caused by :: "
    if not given["name"]:
        raise CommandError(67, f"{where}index name cannot be empty")
    if given["name"] == "*":
        raise CommandError(2, "The index name '*' is not valid.")
    if given.get("sparse") and "partialFilterExpression" in given:
        raise CommandError(67, f'{where}cannot mix "partialFilterExpression" and "sparse" options')


def same_index(existing: Mapping[str, Specification], wanted: Specification) -> bool:
    """Whether the index is there already. Raises 85 or 86 where another one is in its place."""
    there = existing.get(wanted["name"])
    if wanted["key"] == {"_id": 1}:
        return True
    if there is not None:
        if equal(dict(there), dict(wanted)):
            return True
        raise CommandError(
            86,
            "An existing index has the same name as the requested index. When index names are not specified, "
            "they are auto generated and can cause conflicts. Please refer to our documentation. Requested "
            f"index: {_shown(wanted)}, existing index: {_shown(there)}",
        )
    for name, other in existing.items():
        if equal(dict(other["key"]), dict(wanted["key"])) and list(other["key"]) == list(wanted["key"]):
            raise CommandError(85, f"Index already exists with a different name: {name}")
    return False


def _shown(specification: Specification) -> str:
    first = {name: specification[name] for name in ("v", "unique") if name in specification}
    return render(first | dict(specification))
