"""What an index of type "vectorSearch" cannot decide of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.plan.filterable.finding import Undecided, line
from atlas_rag.plan.filterable.mapping import UNREADABLE, Spec
from atlas_rag.plan.filterable.numbers import Decision, as_doubles
from atlas_rag.plan.filterable.search_index import AS_DOUBLES, CUT, is_cut
from atlas_rag.query.filter import Comparison

NO_PATTERNS: Final = "no patterns: $vectorSearch cannot run 'like'"


def judge(condition: Comparison, definition: Spec, *, negated: bool) -> list[Undecided]:
    """The reasons why a vectorSearch index cannot decide one comparison; none where it can.

    A filter path keeps values of every type, nulls and presence. Numbers are compared as doubles, whatever
    the definition says.
    """
    if condition.operator == "like":
        return [Undecided(condition.path, NO_PATTERNS)]
    if any(name.isdecimal() for name in condition.path.split(".")):
        return [Undecided(condition.path, "no positions of arrays, which a filter does not keep")]
    words = _words(definition, condition.path)
    if words is not None:
        return [Undecided(condition.path, words, line({"type": "filter", "path": condition.path}))]
    if is_cut(condition):
        return [Undecided(condition.path, CUT)]
    decision = as_doubles(condition)
    decision = decision.negated() if negated else decision
    if decision is Decision.EXACT:
        return []
    return [Undecided(condition.path, AS_DOUBLES, loose=decision is Decision.MORE)]


def _words(definition: Spec, path: str) -> str | None:
    """What is at a path, in words; None where it is a filter."""
    fields: Any = definition.get("fields")
    if not isinstance(fields, (list, tuple)):
        return UNREADABLE
    here = [one for one in fields if isinstance(one, Mapping) and one.get("path") == path]
    if any(one.get("type") == "filter" and one.keys() == {"type", "path"} for one in here):
        return None
    if here:
        return f"the type {here[0].get('type')!r}, which is no filter"
    paths = [
        str(one.get("path")) for one in fields if isinstance(one, Mapping) and one.get("type") == "filter"
    ]
    return f"no filter there; it has {', '.join(sorted(paths)) or 'none'}"
