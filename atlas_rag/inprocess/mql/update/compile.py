"""The three kinds of update, told apart and compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.update.fields import unchanged_if_same
from atlas_rag.inprocess.mql.update.operators import dollar_prefixed, read_operators
from atlas_rag.inprocess.mql.update.tree import Occasion
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.rendering import render_field

Document = dict[str, Any]
Pipeline = Callable[[Mapping[str, Any]], Document]


class Update(Protocol):
    """Something that makes a new document of an old one."""

    def apply(self, occasion: Occasion) -> Document:
        """Returns the document after the update; the very same object means unchanged."""
        ...


@dataclass(frozen=True, slots=True)
class Replacement:
    """A whole new document under the old `_id`."""

    document: Mapping[str, Any]

    def apply(self, occasion: Occasion) -> Document:
        return keep_identifier(occasion.document, self.document)


@dataclass(frozen=True, slots=True)
class PipelineUpdate:
    """An aggregation pipeline over the one document."""

    run: Pipeline

    def apply(self, occasion: Occasion) -> Document:
        return keep_identifier(occasion.document, self.run(occasion.document))


def keep_identifier(old: Mapping[str, Any], new: Mapping[str, Any]) -> Document:
    """Returns the new document with the old `_id` in first place. Raises 66 where it has another one."""
    before = old.get("_id", MISSING)
    after = new.get("_id", before)
    if before is not MISSING and unchanged_if_same(after, before) is not before:
        raise CommandError(
            66,
            "After applying the update, the (immutable) field '_id' was found to have been altered to "
            f"{render_field('_id', after)}",
        )
    result = dict(new) if after is MISSING else {"_id": after, **{k: v for k, v in new.items() if k != "_id"}}
    unchanged: Document = unchanged_if_same(result, old)
    return unchanged


def compile_update(
    update: Mapping[str, Any] | Sequence[Any],
    *,
    array_filters: Sequence[Any] = (),
    multi: bool = False,
    pipeline: Callable[[Sequence[Any]], Pipeline],
) -> Update:
    """Compiles the `u` of an update statement.

    Args:
        update: operators, a replacement document, or an aggregation pipeline.
        array_filters: conditions for `$[identifier]`.
        multi: many documents are to change; a replacement is refused then.
        pipeline: compiles an update pipeline.

    Raises:
        CommandError: as the server refuses it.
    """
    if not isinstance(update, Mapping):
        if array_filters:
            raise CommandError(9, "arrayFilters may not be specified for pipeline-style updates")
        return PipelineUpdate(pipeline(update))
    if next(iter(update), "").startswith("$"):
        return read_operators(update, array_filters)
    if multi:
        raise CommandError(9, "multi update is not supported for replacement-style update")
    for name in update:
        if name.startswith("$"):
            raise dollar_prefixed(name)
    return Replacement(update)
