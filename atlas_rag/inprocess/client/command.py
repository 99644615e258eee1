"""Commands in the server's spelling, made from PyMongo's option names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pymongo.collation import Collation
from pymongo.cursor import CursorType

from atlas_rag.inprocess.client.session import Session

Document = dict[str, Any]

_SPELLED = {
    "allow_disk_use": "allowDiskUse",
    "allow_partial_results": "allowPartialResults",
    "batch_size": "batchSize",
    "bypass_document_validation": "bypassDocumentValidation",
    "max_await_time_ms": "maxAwaitTimeMS",
    "max_scan": "maxScan",
    "max_time_ms": "maxTimeMS",
    "no_cursor_timeout": "noCursorTimeout",
    "oplog_replay": "oplogReplay",
    "return_key": "returnKey",
    "show_record_id": "showRecordId",
}
_LEFT_OUT = frozenset(
    {*_SPELLED, *("session", "comment", "hint", "let", "collation", "max", "min", "sort", "cursor_type")}
    | {"snapshot", "encrypted_fields", *_SPELLED.values()}
)
"""Options whose default says nothing to the server."""

_CURSOR_FLAGS: dict[int, Document] = {
    CursorType.NON_TAILABLE: {},
    CursorType.TAILABLE: {"tailable": True},
    CursorType.TAILABLE_AWAIT: {"tailable": True, "awaitData": True},
    CursorType.EXHAUST: {},
}


def as_command(command: Mapping[str, Any]) -> Document:
    """Returns a command as the server takes it.

    Raises:
        TypeError: an option has a value that PyMongo does not take either.
    """
    spelled: Document = {}
    for name, value in command.items():
        if name in _LEFT_OUT and (value is None or value is False):
            continue
        if name == "cursor_type":
            spelled |= _CURSOR_FLAGS[value]
        else:
            spelled[_SPELLED.get(name, name)] = as_value(name, value)
    return in_session(spelled, spelled.pop("session", None))


def as_value(name: str, value: Any) -> Any:
    """Returns an option's value as a document where PyMongo takes an object or pairs."""
    if isinstance(value, Collation):
        return value.document
    if name in ("hint", "min", "max") and isinstance(value, list):
        return dict((part, 1) if isinstance(part, str) else part for part in value)
    return value


def in_session(command: Document, session: Any) -> Document:
    """Returns a command with what it says of its session; None for none. Raises TypeError for others."""
    if session is None:
        return command
    if not isinstance(session, Session):
        raise TypeError(f"session must be one that this client has started, not {type(session).__name__}")
    return command | session.fields(command)


def given_only(options: Mapping[str, Any]) -> Document:
    """Returns the options that are not None."""
    return {name: value for name, value in options.items() if value is not None}


def change_stream(pipeline: Sequence[Mapping[str, Any]] | None, options: Document) -> list[Any]:
    """Returns the pipeline of `watch`, and leaves in the options what belongs to the command."""
    stage = {spelled: options.pop(name) for name, spelled in _CHANGE_STREAM.items() if name in options}
    return [{"$changeStream": given_only(stage)}, *(pipeline or ())]


_CHANGE_STREAM = {
    "full_document": "fullDocument",
    "full_document_before_change": "fullDocumentBeforeChange",
    "resume_after": "resumeAfter",
    "start_after": "startAfter",
    "start_at_operation_time": "startAtOperationTime",
    "show_expanded_events": "showExpandedEvents",
}
