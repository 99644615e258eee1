"""A log of commands that were refused, failed or slow: one JSON object a line, without their values."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from atlas_rag.inprocess.deployment.commands import COMMANDS

Document = Mapping[str, Any]

# What this server does not have, or the user may not do; everything else that goes wrong has failed.
_REFUSALS = frozenset({13, 18, 20, 59, 115, 263, 323, 40324, 40415})


class CommandLog:
    """Writes to a file, behind what is there.

    A line has the fields `time` (ISO 8601, UTC), `kind` ("refused", "failed" or "slow"), `command`,
    `namespace`, `milliseconds`, `connection`, `fields` (names of the command's fields, no values) and, where
    something went wrong, `code` and `codeName`. Error texts are left out, since they may hold values.

    Raises:
        OSError: the file cannot be opened.
    """

    def __init__(self, path: Path) -> None:
        self._file: IO[str] = open(path, "a", encoding="utf-8", buffering=1)  # noqa: SIM115 - kept open
        self._lock = threading.Lock()

    def note(
        self, command: Document, reply: Document, *, seconds: float, slow_ms: int, connection: int
    ) -> None:
        """Writes a line, if there is anything to say of the command.

        Args:
            seconds: that it took.
            slow_ms: milliseconds from which on it counts as slow.
            connection: number of the client's connection.
        """
        problem = _problem(reply)
        kind = "slow" if problem is None else "refused" if problem["code"] in _REFUSALS else "failed"
        if problem is None and seconds * 1000 < slow_ms:
            return
        name = next(iter(command), "")
        line = {
            "time": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "kind": kind,
            "command": name,
            "namespace": _namespace(command, name),
            "milliseconds": round(seconds * 1000, 3),
            "connection": connection,
            "fields": [field for field in command if not field.startswith("$")],
            **(problem or {}),
        }
        with self._lock:
            self._file.write(json.dumps(line) + "\n")

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _problem(reply: Document) -> dict[str, Any] | None:
    """Returns the code of what went wrong, in the command or in one of its statements."""
    errors = reply.get("writeErrors")
    failed = reply if not reply.get("ok") else errors[0] if errors else None
    if failed is None:
        return None
    name = failed.get("codeName")
    return {"code": failed.get("code", 0), **({"codeName": name} if name else {})}


def _namespace(command: Document, name: str) -> str:
    """Returns the database, and the collection where the command names one."""
    database = command.get("$db", "")
    target = command.get("collection" if name == "getMore" else name)
    known = COMMANDS.get(name)
    has_collection = known is not None and not known.lockless and isinstance(target, str)
    return f"{database}.{target}" if has_collection else str(database)
