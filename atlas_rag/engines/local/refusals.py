"""How the in-process engine says no, in the server's own codes and words."""

from __future__ import annotations


class CommandError(Exception):
    """A command failed as it would on a server.

    Args:
        code: the server's numeric error code.
        code_name: its symbolic name, `Location<code>` where it has none.
        message: the server's text (`errmsg`).
    """

    def __init__(self, code: int, message: str, code_name: str | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.code_name = code_name or f"Location{code}"
        self.message = message


class EngineRefusal(Exception):  # noqa: N818 - a refusal is an answer, not a fault
    """The search engine behind the server refused a query or a definition.

    On a server this text reaches the driver as code 8, after "PlanExecutor error during aggregation ::
    caused by :: ".
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


def bad_value(text: str) -> CommandError:
    """The server's code 2."""
    return CommandError(2, text, "BadValue")


def failed_to_parse(text: str) -> CommandError:
    """The server's code 9."""
    return CommandError(9, text, "FailedToParse")


def type_mismatch(text: str) -> CommandError:
    """The server's code 14."""
    return CommandError(14, text, "TypeMismatch")
