"""The values that pass the door."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

DEFAULT_TIME_LIMIT_MS = 30_000


@dataclass(frozen=True, slots=True)
class Command:
    """One request to a deployment.

    Args:
        body: the command document, its name first, as the server documents it. An `aggregate` names the
            collection and holds `pipeline`; cursor options are the engine's business.
        database: "own" for the database of the collection the engine was made for, or "admin".
        max_rows: rows expected at most. The engine asks for one more in the first batch, so that the
            result is one round trip (and so, as a whole, retryable). None: the server's own batch size.
        time_limit_ms: server-side time limit in milliseconds, > 0; always sent.
    """

    body: Mapping[str, Any] = field(repr=False)
    database: Literal["own", "admin"] = "own"
    max_rows: int | None = None
    time_limit_ms: int = DEFAULT_TIME_LIMIT_MS

    @property
    def name(self) -> str:
        """The command's name, such as `aggregate`."""
        return next(iter(self.body))

    @classmethod
    def aggregate(
        cls,
        collection: str,
        pipeline: Sequence[Mapping[str, Any]],
        *,
        max_rows: int | None = None,
        time_limit_ms: int = DEFAULT_TIME_LIMIT_MS,
        comment: str | None = None,
    ) -> Command:
        """An `aggregate` on one collection; the engine reads the whole cursor into `Reply.documents`."""
        body: dict[str, Any] = {"aggregate": collection, "pipeline": list(pipeline)}
        if comment is not None:
            body["comment"] = comment
        return cls(body, max_rows=max_rows, time_limit_ms=time_limit_ms)


@dataclass(frozen=True, slots=True)
class Pause:
    """A wish to wait. Seconds, ≥ 0."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Call:
    """A wish to call something outside, such as an embedder; its result is what comes back.

    Args:
        function: takes nothing; may return an awaitable where the pump is `adrive`.
        blocking: whether it waits for a network or computes for long; `adrive` then runs it in a thread.
    """

    function: Callable[[], Any] = field(repr=False)
    blocking: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """What a deployment answered: the rows of a cursor command, else the reply document in `body`.

    Args:
        address: `host:port` that the rows came from, or "" where there is none.
    """

    documents: list[dict[str, Any]] = field(default_factory=list, repr=False)
    body: Mapping[str, Any] = field(default_factory=dict, repr=False)
    address: str = ""
