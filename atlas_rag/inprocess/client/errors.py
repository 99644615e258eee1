"""Replies that failed, raised as PyMongo's own errors."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from pymongo import errors

Reply = Mapping[str, Any]

_DUPLICATE_KEY = (11000, 11001, 12582)
_TOO_LARGE = 10334
_BY_CODE: dict[int, type[errors.OperationFailure]] = {
    **dict.fromkeys(_DUPLICATE_KEY, errors.DuplicateKeyError),
    43: errors.CursorNotFound,
    50: errors.ExecutionTimeout,
}


def checked(reply: Reply) -> Reply:
    """Returns the reply of a command that succeeded. Raises `OperationFailure` or a subclass."""
    if not reply.get("ok"):
        kind = _BY_CODE.get(reply.get("code", 0), errors.OperationFailure)
        raise kind(reply.get("errmsg", ""), reply.get("code"), reply)
    return reply


def check_write(reply: Reply) -> Reply:
    """Returns the reply of a single write. Raises `WriteError` or `DuplicateKeyError`."""
    failed = checked(reply).get("writeErrors")
    if failed:
        raise_write_error(failed[-1])
    return reply


def raise_write_error(error: Mapping[str, Any]) -> NoReturn:
    """Raises one entry of `writeErrors`; what is too large a driver notices before it sends it."""
    if error["code"] == _TOO_LARGE:
        raise errors.DocumentTooLarge(error["errmsg"])
    kind = errors.DuplicateKeyError if error["code"] in _DUPLICATE_KEY else errors.WriteError
    raise kind(error["errmsg"], error["code"], error)
