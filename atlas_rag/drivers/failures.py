"""Driver exceptions to this library's errors. The driver's text is not kept: it repeats the command."""

from __future__ import annotations

from typing import Any

from bson.errors import BSONError
from pymongo import errors as driver

from atlas_rag.errors import AtlasRagError, CallError, Code, ServerError
from atlas_rag.wire.failures import NEXT_STEPS, server_error

FAILURES = (driver.PyMongoError, BSONError, OverflowError, UnicodeEncodeError)
"""What a driver raises and `translate` knows."""


def translate(error: BaseException) -> AtlasRagError:
    """The error for one driver exception.

    Time-outs are recognised by the driver's `timeout` property, never by class: the same time-out arrives as
    three different ones.
    """
    if isinstance(error, driver.ServerSelectionTimeoutError):
        if "Authentication failed" in str(error):
            return _failure(Code.AUTHENTICATION_FAILED, "The server refused the credentials")
        return _failure(Code.SERVER_UNREACHABLE, "No server could be reached in time")
    if isinstance(error, driver.DocumentTooLarge):
        return _failure(Code.TOO_LARGE, "The command is larger than 16 MB")
    if isinstance(error, driver.OperationFailure) and not (error.code is None and error.timeout):
        return _operation_failure(error)
    if isinstance(error, driver.PyMongoError):
        return _driver_failure(error)
    return CallError(
        f"A value cannot be sent as BSON ({type(error).__name__})",
        expected="BSON types, integers up to 64 bits, text without lone surrogates",
        next_step="convert the value first",
    )


def _operation_failure(error: driver.OperationFailure) -> ServerError:
    details: Any = error.details or {}
    if error.has_error_label("SystemOverloadedError"):
        return _failure(Code.OVERLOADED, "The server is overloaded")
    return server_error(error.code, str(details.get("codeName", "")), str(details.get("errmsg", "")))


def _driver_failure(error: driver.PyMongoError) -> AtlasRagError:
    if error.timeout:
        return _failure(Code.SERVER_TIMEOUT, f"The call timed out ({type(error).__name__})")
    if isinstance(error, driver.ConnectionFailure):
        return _failure(Code.CONNECTION_LOST, f"The connection was lost ({type(error).__name__})")
    if isinstance(error, driver.InvalidOperation):
        return CallError("The client cannot be used", expected="an open client of this event loop")
    return _failure(Code.REQUEST_REFUSED, f"The driver failed ({type(error).__name__})")


def _failure(code: Code, problem: str) -> ServerError:
    return ServerError(problem, next_step=NEXT_STEPS.get(code, "look at the cause"), code=code)
