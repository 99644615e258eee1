"""What would change: wanted indexes against those that are there. Nothing is sent but one listing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from atlas_rag.errors import Code, SearchIndexError
from atlas_rag.indexes.changes.compare import Difference, differences, legacy_vectors
from atlas_rag.indexes.changes.limits import Tier, check_limits
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.state import IndexState, list_states
from atlas_rag.wire import Flow

REBUILT = "the index is dropped and cannot be queried until it is built again"


class Action(StrEnum):
    """What is done to one index."""

    KEEP = "keep"
    CREATE = "create"
    UPDATE = "update"
    REPLACE = "replace"
    """Drop and create: the type cannot be changed. Not available in between."""
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Change:
    """What happens to one index, and why.

    Args:
        danger: what could be lost, or "" where nothing can; such a change must be allowed by name.
        before: what is there, kept for rollback. wanted: what is to be there.
    """

    action: Action
    name: str
    reasons: tuple[str, ...] = ()
    danger: str = ""
    before: IndexState | None = field(default=None, repr=False)
    wanted: WantedIndex | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "action": self.action.value,
            "name": self.name,
            "reasons": list(self.reasons),
            "danger": self.danger,
            "before": None if self.before is None else dict(self.before.definition),
            "wanted": None if self.wanted is None else self.wanted.to_dict()["definition"],
        }


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """The changes to one collection's search indexes, in the order they would be made."""

    namespace: str
    changes: tuple[Change, ...]

    @property
    def collection(self) -> str:
        """Name of the collection."""
        return self.namespace.partition(".")[2]

    @property
    def pending(self) -> tuple[Change, ...]:
        """The changes that do something."""
        return tuple(change for change in self.changes if change.action is not Action.KEEP)

    @property
    def dangers(self) -> tuple[str, ...]:
        """Names of the indexes whose change must be allowed."""
        return tuple(change.name for change in self.pending if change.danger)

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return {"namespace": self.namespace, "changes": [change.to_dict() for change in self.changes]}

    def __str__(self) -> str:
        count = len(self.pending)
        lines = [f"{self.namespace}: {count} {'change' if count == 1 else 'changes'}"]
        for change in self.changes:
            mark = " (danger: " + change.danger + ")" if change.danger else ""
            lines.append(f"  {change.action.value:8}{change.name}{mark}")
            lines += [f"          {reason}" for reason in change.reasons]
        return "\n".join(lines)


def plan_indexes(
    namespace: str,
    wanted: Sequence[WantedIndex],
    *,
    drop: Sequence[str] = (),
    limits: Tier | None = None,
    elsewhere: int = 0,
) -> Flow[IndexPlan]:
    """Compares what is wanted with what is there.

    Args:
        drop: names of indexes to be dropped; an index that is merely not wanted is left alone.
        limits: of the deployment's tier, checked before anything starts.
        elsewhere: search indexes of other collections, which count towards the limits too.

    Raises:
        SearchIndexError: INDEX_QUOTA, INDEX_CONFLICT.
    """
    _check_names(wanted, drop)
    present = yield from list_states(namespace.partition(".")[2])
    changes = [_change(index, present) for index in wanted]
    changes += [_drop(name, present.get(name)) for name in drop]
    if limits is not None:
        created = [change.wanted for change in changes if change.action is Action.CREATE and change.wanted]
        check_limits(limits, elsewhere + len(present), created, wanted)
    return IndexPlan(namespace, tuple(changes))


def _check_names(wanted: Sequence[WantedIndex], drop: Sequence[str]) -> None:
    names = [index.name for index in wanted]
    twice = next((name for name in names if names.count(name) > 1 or name in drop), None)
    if twice is not None:
        raise SearchIndexError(
            f"The index {twice!r} is named twice",
            expected="each index wanted once, or dropped",
            code=Code.INDEX_CONFLICT,
        )


def _change(index: WantedIndex, states: Mapping[str, IndexState]) -> Change:
    present = states.get(index.name)
    if present is None or present.going:
        reason = "is being deleted" if present is not None else "does not exist"
        return Change(Action.CREATE, index.name, (reason, *_migrations(index, states)), wanted=index)
    if present.type != index.type:
        reasons = (f"type: {present.type} → {index.type}", *_migrations(index, states))
        return Change(Action.REPLACE, index.name, reasons, REBUILT, present, index)
    found = differences(index.type, present.definition, index.to_dict()["definition"])
    if present.status == "FAILED":
        return _repair(index, present, found)
    if not found:
        return Change(Action.KEEP, index.name, before=present, wanted=index)
    return Change(Action.UPDATE, index.name, tuple(map(str, found)), _danger(found), present, index)


def _repair(index: WantedIndex, present: IndexState, found: Sequence[Difference]) -> Change:
    """A failed index gets the other definition, or is built again; it may be in use with its old one."""
    reasons = (f"has failed: {present.message or 'no message'}", *map(str, found))
    if found:
        danger = _danger(found) if present.queryable else ""
        return Change(Action.UPDATE, index.name, reasons, danger, present, index)
    return Change(Action.REPLACE, index.name, reasons, REBUILT if present.queryable else "", present, index)


def _migrations(index: WantedIndex, states: Mapping[str, IndexState]) -> tuple[str, ...]:
    """Where search indexes map the same vectors the old way, as `knnVector`."""
    if index.type != "vectorSearch":
        return ()
    paths = {field.get("path") for field in index.to_dict()["definition"].get("fields", ())}
    return tuple(
        f"takes over {path} from {state.name}, which maps it as knnVector: remove that mapping afterwards"
        for state in states.values()
        for path in legacy_vectors(state.definition)
        if path in paths
    )


def _drop(name: str, present: IndexState | None) -> Change:
    if present is None or present.going:
        return Change(Action.KEEP, name, ("is gone already",))
    return Change(Action.DROP, name, (), "the index is dropped", present)


def _danger(found: Sequence[Difference]) -> str:
    """What an update could make unfindable: vectors of another length, filters and fields that go."""
    return "; ".join(filter(None, map(_danger_of, found)))


def _danger_of(one: Difference) -> str:
    last = one.path.rpartition(".")[2]
    if last in ("numDimensions", "dimensions"):
        return f"dimensions change ({one}): vectors of the old length will not be found"
    if last == "similarity":
        return f"similarity changes ({one}): scores and thresholds change their meaning"
    if one.wanted is None and isinstance(one.present, Mapping) and ".fields." in f".{one.path}":
        return f"{one.path} is no longer indexed"
    if last == "dynamic" and one.present and not one.wanted:
        return f"{one.path}: fields without a mapping of their own are no longer indexed"
    return ""
