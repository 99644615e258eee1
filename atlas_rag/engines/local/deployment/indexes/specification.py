"""Specifications of ordinary indexes, as `createIndexes` takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render
from atlas_rag.engines.local.values import equal, numbers, type_name

Specification = Mapping[str, Any]

_KEPT = {
    *("key", "name", "v", "unique", "sparse", "partialFilterExpression", "background", "hidden", "ns"),
    *("2dsphereIndexVersion", "bits", "min", "max"),
}
_REFUSED = {
    *("expireAfterSeconds", "collation", "wildcardProjection", "weights", "default_language"),
    *("language_override", "textIndexVersion", "storageEngine", "bucketSize", "clustered", "prepareUnique"),
}
_PLUGINS = {"2dsphere", "2d", "hashed"}


def read_specification(given: Any) -> dict[str, Any]:
    """Returns a specification in the order in which the server lists it.

    Raises:
        CommandError: 9, 67, 197 as the server; 115 for options that would change what is stored or found
            (`expireAfterSeconds`, `collation`, text indexes).
    """
    if not isinstance(given, Mapping):
        raise CommandError(14, "The elements of the 'indexes' array must be objects")
    where = f"Error in specification {render(given)} :: caused by :: "
    for option in given:
        if option in _REFUSED:
            raise CommandError(115, f"index option {option} is not supported by the in-process engine")
        if option not in _KEPT:
            raise CommandError(
                197,
                f"{where}The field '{option}' is not valid for an index specification. Specification: "
                f"{render(given)}",
            )
    for option in ("key", "name"):
        if option not in given:
            text = f"{where}The '{option}' field is a required property of an index specification"
            raise CommandError(9, text)
    if not isinstance(given["name"], str):
        text = f"{where}The field 'name' must be a string, but got {type_name(given['name'])}"
        raise CommandError(14, text)
    _check_keys(given["key"], where)
    flags = {name: True for name in ("unique", "sparse", "hidden") if given.get(name)}
    partial = {k: given[k] for k in ("partialFilterExpression",) if k in given}
    return {"v": 2, "key": dict(given["key"]), "name": given["name"], **flags, **partial}


def _check_keys(keys: Any, where: str) -> None:
    if not isinstance(keys, Mapping):
        raise CommandError(14, f"{where}The field 'key' must be an object, but got {type_name(keys)}")
    if not keys:
        raise CommandError(67, f"{where}Index keys cannot be empty.")
    for direction in keys.values():
        if isinstance(direction, str):
            if direction == "text":
                raise CommandError(115, "text indexes are not supported by the in-process engine")
            if direction not in _PLUGINS:
                raise CommandError(67, f"{where}Unknown index plugin '{direction}'")
        elif not numbers.whole(direction) and not (isinstance(direction, float) and direction):
            raise CommandError(67, f"{where}Values in the index key pattern cannot be {render(direction)}.")


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
