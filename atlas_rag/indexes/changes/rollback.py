"""Keeps the definitions that were there before a change, and brings them back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from atlas_rag.errors import CallError, Code
from atlas_rag.indexes.changes import steps
from atlas_rag.indexes.changes.compare import differences
from atlas_rag.indexes.changes.plan import Change
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.state import list_states
from atlas_rag.wire import Clock, Flow, public_flow
from atlas_rag.wire.pump import SYSTEM_CLOCK


@dataclass(frozen=True, slots=True)
class Previous:
    """What was there under the names that a plan changes, in the order of its changes; None for nothing.

    Args:
        complete: whether the changes came to their end; of those that did not, the oldest state counts.
    """

    namespace: str
    indexes: tuple[tuple[str, WantedIndex | None], ...]
    complete: bool = False

    def followed_by(self, later: Previous) -> Previous:
        """What to keep before a further change: the older state of each name, unless this one is complete."""
        if self.complete or self.namespace != later.namespace:
            return later
        known = dict(self.indexes)
        return Previous(
            self.namespace,
            (*self.indexes, *((name, one) for name, one in later.indexes if name not in known)),
        )

    @classmethod
    def of(cls, namespace: str, changes: Iterable[Change]) -> Previous:
        """What was there before these changes."""
        return cls(namespace, tuple((change.name, _as_wanted(change)) for change in changes))

    def closed(self) -> Previous:
        """The same, once the changes came to their end."""
        return Previous(self.namespace, self.indexes, complete=True)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        kept = [{"name": name, "index": index and index.to_dict()} for name, index in self.indexes]
        return {"namespace": self.namespace, "complete": self.complete, "previous": kept}

    @classmethod
    def read(cls, path: Path) -> Previous:
        """Reads what `write` wrote.

        Raises:
            CallError: INVALID_DEFINITION, the file is missing or holds something else.
        """
        try:
            document = json.loads(path.read_text(encoding="utf-8"))
            indexes = tuple((one["name"], _read(one["index"])) for one in document["previous"])
            return cls(document["namespace"], indexes, bool(document["complete"]))
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise CallError(
                f"{path.name} holds no previous definitions ({error})",
                expected="a file that `index apply` wrote",
                code=Code.INVALID_DEFINITION,
            ) from error

    def write(self, path: Path) -> None:
        """Writes the file as a whole or not at all."""
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.new")
        beside.write_text(json.dumps(self.to_dict(), indent=2) + "\n", encoding="utf-8")
        beside.replace(path)


@public_flow
def rollback(previous: Previous, *, clock: Clock = SYSTEM_CLOCK) -> Flow[tuple[str, ...]]:
    """Brings back what was there before, the last change first. What is there already is left alone.

    Returns:
        what was done, one line per index.
    """
    lines: list[str] = []
    for name, before in reversed(previous.indexes):
        line = yield from _bring_back(previous.namespace, name, before, clock)
        lines += [line] if line else []
    return tuple(lines)


def _bring_back(namespace: str, name: str, before: WantedIndex | None, clock: Clock) -> Flow[str]:
    present = (yield from list_states(namespace.partition(".")[2])).get(name)
    missing = present is None or present.going
    if before is None:
        if missing:
            return ""
        yield from steps.drop(namespace, name, clock)
        return f"dropped {name}"
    if present is None or present.going:
        yield from steps.create(namespace, before, clock)
        return f"created {name} again"
    if present.type != before.type:
        yield from steps.replace(namespace, before, clock)
        return f"replaced {name} with what was there"
    if differences(before.type, present.definition, before.definition):  # type: ignore[arg-type]
        yield from steps.update(namespace, before, clock)
        return f"updated {name} to what was there"
    return ""


def _as_wanted(change: Change) -> WantedIndex | None:
    before = change.before
    return None if before is None else WantedIndex(before.name, before.type, before.definition)


def _read(index: Any) -> WantedIndex | None:
    return None if index is None else WantedIndex(index["name"], index["type"], index["definition"])
