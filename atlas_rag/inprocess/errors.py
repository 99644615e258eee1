"""How the in-process engine says no, in the server's own codes and words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# The symbolic names of the codes in use; every other code is called `Location<code>`.
CODE_NAMES = {
    1: "InternalError",
    2: "BadValue",
    4: "NoSuchKey",
    5: "GraphContainsCycle",
    8: "UnknownError",
    9: "FailedToParse",
    13: "Unauthorized",
    14: "TypeMismatch",
    15: "Overflow",
    16: "InvalidLength",
    18: "AuthenticationFailed",
    20: "IllegalOperation",
    26: "NamespaceNotFound",
    27: "IndexNotFound",
    28: "PathNotViable",
    34: "CannotBackfillArray",
    40: "ConflictingUpdateOperators",
    43: "CursorNotFound",
    48: "NamespaceExists",
    50: "MaxTimeMSExpired",
    52: "DollarPrefixedFieldName",
    53: "InvalidIdField",
    54: "NotSingleValueField",
    56: "EmptyFieldName",
    57: "DottedFieldName",
    59: "CommandNotFound",
    66: "ImmutableField",
    67: "CannotCreateIndex",
    68: "IndexAlreadyExists",
    72: "InvalidOptions",
    73: "InvalidNamespace",
    85: "IndexOptionsConflict",
    86: "IndexKeySpecsConflict",
    96: "OperationFailed",
    112: "WriteConflict",
    115: "CommandNotSupported",
    121: "DocumentValidationFailure",
    125: "CommandFailed",
    159: "DurationOverflow",
    165: "ViewDepthLimitExceeded",
    166: "CommandNotSupportedOnView",
    167: "OptionNotSupportedOnView",
    168: "InvalidPipelineOperator",
    171: "CannotIndexParallelArrays",
    197: "InvalidIndexSpecificationOption",
    224: "QueryFeatureNotAllowed",
    225: "TransactionTooOld",
    238: "NotImplemented",
    241: "ConversionFailure",
    251: "NoSuchTransaction",
    256: "TransactionCommitted",
    263: "OperationNotSupportedInTransaction",
    291: "NoQueryExecutionPlans",
    279: "ClientDisconnect",
    322: "APIVersionError",
    323: "APIStrictError",
    11000: "DuplicateKey",
    11600: "InterruptedAtShutdown",
    11601: "Interrupted",
    13113: "MergeStageNoMatchingDocument",
    14031: "OutOfDiskSpace",
    31082: "SearchNotEnabled",
}


class CommandError(Exception):
    """A command failed as it would on a server.

    Args:
        code: the server's numeric error code.
        code_name: its symbolic name; by default the one the server gives to that code.
        message: the server's text (`errmsg`).
    """

    details: Mapping[str, Any] = {}
    """What stands beside code and text in the server's reply."""

    def __init__(self, code: int, message: str, code_name: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.code_name = code_name or CODE_NAMES.get(code) or f"Location{code}"
        self.message = message

    def within(self, prefix: str) -> CommandError:
        """Returns the same error with the place where it happened in front, as the server words it."""
        error = CommandError(self.code, f"{prefix} :: caused by :: {self.message}", self.code_name)
        error.details = self.details
        return error


class EngineRefusal(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """The search engine behind the server refused a query or a definition.

    On a server this text reaches the driver as code 8, after "PlanExecutor error during aggregation ::
    caused by :: ".
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text
