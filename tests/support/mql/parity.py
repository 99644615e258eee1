"""Runs one pipeline here and on a real server, and tells whether the answers are the same."""

from __future__ import annotations

from typing import Any, NamedTuple

import bson
from bson import Int64
from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import MongoClient
from pymongo.errors import OperationFailure

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.stages import Context, run
from tests.support.local_database import ListCollection, ListDatabase

# The release that the real server of the tests is.
RELEASE = (6, 0)
OPTIONS: CodecOptions[dict[str, Any]] = CodecOptions(datetime_conversion=DatetimeConversion.DATETIME_AUTO)
# After these the order of documents is nobody's business unless a sort follows.
REORDERING = ("$group", "$sortByCount")


class Failure(NamedTuple):
    """A refused pipeline: what is compared, and what helps to understand."""

    code: int | None
    message: str


Outcome = list[dict[str, Any]] | Failure


def here(documents: list[dict[str, Any]], pipeline: list[Any]) -> Outcome:
    """Returns what the in-process engine answers, after a trip through BSON."""
    database = ListDatabase(x=ListCollection(documents))
    try:
        found = list(run(pipeline, Context(database, release=RELEASE, has_search=False), "x"))
    except CommandError as error:
        return Failure(error.code, error.message)
    # As a field: at the top of a document the driver moves `_id` to the front.
    return [bson.decode(bson.encode({"": document}), OPTIONS)[""] for document in found]


def there(client: MongoClient[Any], documents: list[dict[str, Any]], pipeline: list[Any]) -> Outcome:
    """Returns what the server answers."""
    collection = client.get_database("parity", codec_options=OPTIONS)["x"]
    collection.delete_many({})
    collection.insert_many([dict(document) for document in documents])
    try:
        return list(collection.aggregate(pipeline))
    except OperationFailure as error:
        return Failure(error.code, str((error.details or {}).get("errmsg")))


def typed(value: Any) -> Any:
    """Returns a value in a form that compares types, signs of zero, NaN and the order of fields too."""
    if isinstance(value, dict):
        return ("object", [(name, typed(field)) for name, field in value.items()])
    if isinstance(value, list):
        return ("array", [typed(item) for item in value])
    kind = "long" if type(value) is Int64 else type(value).__name__
    return (kind, repr(value) if isinstance(value, float) else str(value))


def difference(ours: Outcome, theirs: Outcome, pipeline: list[Any]) -> str | None:
    """Returns what differs between two answers: documents, types, or the code of refusal; None if nothing."""
    if isinstance(ours, Failure) or isinstance(theirs, Failure):
        both = isinstance(ours, Failure) and isinstance(theirs, Failure) and ours.code == theirs.code
        return None if both else "refusal"
    left, right = [typed(document) for document in ours], [typed(document) for document in theirs]
    if any(next(iter(stage)) in REORDERING for stage in pipeline):
        left, right = sorted(left, key=repr), sorted(right, key=repr)
    if left == right:
        return None
    return "field order" if _unordered(left) == _unordered(right) else "documents"


def _unordered(value: Any) -> Any:
    """Returns a typed value with the fields of every document in order of their names."""
    if isinstance(value, list):
        return [_unordered(item) for item in value]
    kind, content = value
    if kind == "object":
        return kind, sorted(((name, _unordered(field)) for name, field in content), key=repr)
    return kind, _unordered(content) if kind == "array" else content
