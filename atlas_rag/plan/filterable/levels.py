"""Filters of vectors under a `nestedRoot`: conditions on the document, and on its part with the vector."""

from __future__ import annotations

from dataclasses import dataclass

from atlas_rag.errors import CallError, Code
from atlas_rag.plan.filterable.finding import POSTFILTER, Undecided
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not, all_of

MIXED = "the document and its parts apart: a group cannot ask both at once"
SEVERAL = "each part by itself: several conditions would have to hold for one and the same part"
NEGATED = "each part by itself: a part that does not hold the value says nothing of the others"


@dataclass(frozen=True, slots=True)
class Levels:
    """A filter by level.

    Args:
        child: for `filter`, which speaks of the parts. parent: for `parentFilter`, which speaks of the whole.
    """

    child: Filter | None
    parent: Filter | None


def split_levels(condition: Filter, nested_root: str) -> Levels:
    """The condition by level, for `$vectorSearch` at a path under the nested root.

    Raises:
        CallError: UNSUPPORTED_FILTER for what `mixed_levels` tells.
    """
    problems = mixed_levels(condition, nested_root)
    if problems:
        raise CallError(
            f"The filter on {problems[0].path!r} cannot run in $vectorSearch under {nested_root!r}, "
            f"which asks {problems[0].has}",
            expected="conditions on the document, and one positive condition on its parts",
            next_step=POSTFILTER,
            code=Code.UNSUPPORTED_FILTER,
        )
    parts = condition.conjuncts()
    children = [one for one in parts if is_child(one, nested_root)]
    parents = [one for one in parts if not is_child(one, nested_root)]
    return Levels(all_of(*children) if children else None, all_of(*parents) if parents else None)


def mixed_levels(condition: Filter, nested_root: str) -> tuple[Undecided, ...]:
    """What the two levels cannot decide together.

    A `Filter` means a document: each condition holds if any value at its path does. One positive condition on
    the parts (or an OR of some) means the same for a document and for its best part; a second one, or a
    complement, does not.
    """
    prefix = nested_root + "."
    problems: list[Undecided] = []
    children: list[Filter] = []
    for part in condition.conjuncts():
        inside = sorted(path for path in part.paths() if path.startswith(prefix))
        if not inside:
            continue
        children.append(part)
        if len(inside) < len(part.paths()):
            problems.append(Undecided(inside[0], MIXED))
        elif not _is_positive(part):
            problems.append(Undecided(inside[0], NEGATED if _has_complement(part) else SEVERAL))
    if len(children) > 1:
        problems.append(Undecided(min(children[1].paths()), SEVERAL))
    return tuple(problems)


def is_child(part: Filter, nested_root: str) -> bool:
    """Whether a condition speaks of the parts alone."""
    return all(path.startswith(nested_root + ".") for path in part.paths())


def _is_positive(part: Filter) -> bool:
    """Whether it is a comparison, or an OR of comparisons."""
    return isinstance(part, Comparison) or (isinstance(part, AnyOf) and all(map(_is_positive, part.parts)))


def _has_complement(part: Filter) -> bool:
    if isinstance(part, (AllOf, AnyOf)):
        return any(map(_has_complement, part.parts))
    return isinstance(part, Not)
