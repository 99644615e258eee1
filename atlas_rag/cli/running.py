"""Runs a command: whatever goes wrong becomes one line and an exit code, never a traceback."""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from atlas_rag.errors import AtlasRagError, CallError

NOT_WELL, WRONG_CALL, BROKEN, INTERRUPTED = 1, 2, 70, 130
"""Exit codes. BROKEN is a fault of this program."""
DEBUG_VARIABLE = "ATLAS_RAG_DEBUG"


def run(command: Callable[[], Any], *, as_json: bool = False) -> int:
    """The exit code of a command.

    Args:
        command: may leave by `SystemExit`.
        as_json: errors are told as a document on standard output.
    """
    logging.getLogger("atlas_rag").addHandler(logging.NullHandler())  # commands tell notes themselves
    with _reader_may_leave():
        try:
            command()
        except SystemExit as left:
            return _code_of(left)
        except AtlasRagError as error:
            report_error(error, as_json)
            return WRONG_CALL if isinstance(error, CallError) else NOT_WELL
        except KeyboardInterrupt:
            _say("interrupted")
            return INTERRUPTED
        except OSError as error:
            _say(f"{error.strerror or type(error).__name__}: {error.filename or 'no file'}")
            return NOT_WELL
        except Exception as error:  # of a kind that no command foresaw
            if os.environ.get(DEBUG_VARIABLE):
                raise
            _say(
                f"internal error ({type(error).__name__}); {DEBUG_VARIABLE}=1 shows where. Please report it."
            )
            return BROKEN
    return 0


def report_error(error: AtlasRagError, as_json: bool) -> None:
    """Tells an error: a document on standard output for machines, a line on standard error for people."""
    if as_json:
        document = {
            "error": int(error.code),
            "name": error.code.name,
            "message": str(error),
            "url": error.url,
        }
        sys.stdout.write(json.dumps(document) + "\n")
    else:
        _say(str(error))


def _say(line: str) -> None:
    sys.stderr.write(line + "\n")


def _code_of(left: SystemExit) -> int:
    if isinstance(left.code, str):
        _say(left.code)
        return NOT_WELL
    return left.code or 0


@contextmanager
def _reader_may_leave() -> Iterator[None]:
    """Whoever reads our output may close it, as `head` does: that is no failure, and the code stays."""
    stdout = sys.stdout
    sys.stdout = _Patient(stdout)
    try:
        yield
        sys.stdout.flush()
    finally:
        sys.stdout = stdout


class _Patient:
    """A stream that goes to nowhere once its reader has left."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        try:
            return self._stream.write(text)
        except BrokenPipeError:
            self._give_up()
            return len(text)

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._give_up()

    def _give_up(self) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self._stream.fileno())
        os.close(nowhere)
