"""Which comparisons of a filter an index cannot decide."""

from __future__ import annotations

from collections.abc import Iterator

from atlas_rag.capability import SearchIndex
from atlas_rag.plan.filterable import search_index, vector_index
from atlas_rag.plan.filterable.finding import Undecided
from atlas_rag.plan.filterable.levels import mixed_levels
from atlas_rag.plan.filterable.mapping import UNREADABLE
from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not
from atlas_rag.stages.filters import simplify


def undecided(
    condition: Filter, index: SearchIndex, *, vector_path: str | None = None
) -> tuple[Undecided, ...]:
    """The comparisons that this index cannot decide exactly as `Filter` means them, each once.

    Args:
        index: as the deployment lists it.
        vector_path: of the vector that is searched, where the index is of type "vectorSearch".
    """
    simple = simplify(condition)
    if isinstance(simple, str):
        return ()
    judge = vector_index.judge if index.type == "vectorSearch" else search_index.judge
    leaves = sorted(_leaves(simple, negated=False), key=lambda one: _asks_presence(one[0]))
    problems: list[Undecided] = []
    for leaf, negated in leaves:
        if _asks_presence(leaf) and any(one.path == leaf.path and one.line for one in problems):
            continue  # any type decides presence: the one that another comparison needs will do
        problems += judge(leaf, index.definition, negated=negated)
    root = index.nested_root()
    if root is not None:
        problems += _levels(simple, root, vector_path)
    elif index.type == "vectorSearch" and index.definition.get("nestedRoot") is not None:
        problems += [Undecided(path, UNREADABLE) for path in sorted(simple.paths())]
    return tuple(dict.fromkeys(problems))


def _asks_presence(leaf: Comparison) -> bool:
    return leaf.operator == "exists" or (leaf.operator == "eq" and leaf.value is None)


def _levels(condition: Filter, root: str, vector_path: str | None) -> tuple[Undecided, ...]:
    if vector_path is not None and vector_path.startswith(root + "."):
        return mixed_levels(condition, root)
    inside = sorted(path for path in condition.paths() if path.startswith(root + "."))
    has = f"values inside {root!r} with its parts only, and the vector is not there"
    return tuple(Undecided(path, has) for path in inside)


def _leaves(condition: Filter, *, negated: bool) -> Iterator[tuple[Comparison, bool]]:
    """Every comparison, and whether it stands under an odd number of complements."""
    match condition:
        case Comparison():
            yield condition, negated
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _leaves(part, negated=negated)
        case Not(part):
            yield from _leaves(part, negated=not negated)
