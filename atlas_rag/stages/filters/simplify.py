"""Folds away conditions that hold for every document or for none, before any target is spelled."""

from __future__ import annotations

from typing import Literal, TypeAlias

from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not, all_of, any_of

Simplified: TypeAlias = Filter | Literal["everything", "nothing"]


def simplify(condition: Filter) -> Simplified:
    """The same condition without constant parts; "nothing" needs no round trip at all.

    An `in` without values holds for nothing, a `not_in` without values wherever the path exists; a mixed
    `in` is an OR of one `in` per BSON type, because `$vectorSearch` and `$search` take one type each. A
    pattern without `%` and `_` is an equality, which every target can decide.
    """
    if isinstance(condition, Comparison):
        rewrite = _REWRITES.get(condition.operator)
        return condition if rewrite is None else rewrite(condition)
    if isinstance(condition, AllOf):
        return _fold(condition, absorbing="nothing", neutral="everything")
    if isinstance(condition, AnyOf):
        return _fold(condition, absorbing="everything", neutral="nothing")
    if isinstance(condition, Not):
        inner = simplify(condition.part)
        if isinstance(inner, str):
            return "nothing" if inner == "everything" else "everything"
        return ~inner
    return condition


def _some(condition: Comparison) -> Simplified:
    return _by_type(condition) if condition.value else "nothing"


def _none(condition: Comparison) -> Simplified:
    present = Comparison(condition.path, "exists")
    return all_of(present, Not(_by_type(condition))) if condition.value else present


def _other(condition: Comparison) -> Simplified:
    present = Comparison(condition.path, "exists")
    return all_of(present, Not(Comparison(condition.path, "eq", condition.value)))


def _missing(condition: Comparison) -> Simplified:
    return Not(Comparison(condition.path, "exists"))


def _whole(condition: Comparison) -> Simplified:
    is_pattern = any(mark in str(condition.value) for mark in "%_")
    return condition if is_pattern else Comparison(condition.path, "eq", condition.value)


_REWRITES = {"in": _some, "not_in": _none, "ne": _other, "not_exists": _missing, "like": _whole}
"""By operator; the others stay as they are."""


def _fold(
    condition: AllOf | AnyOf,
    *,
    absorbing: Literal["everything", "nothing"],
    neutral: Literal["everything", "nothing"],
) -> Simplified:
    parts = tuple(map(simplify, condition.parts))
    if parts == condition.parts:
        return condition
    if absorbing in parts:
        return absorbing
    kept = [part for part in parts if isinstance(part, Filter)]
    if not kept:
        return neutral
    return all_of(*kept) if neutral == "everything" else any_of(*kept)


def _by_type(condition: Comparison) -> Filter:
    """One condition per BSON type among the values, the same one if there is but one type."""
    values = condition.value
    assert isinstance(values, tuple)  # noqa: S101 - narrowed by the operator
    if condition.operator == "in" and len(values) > 1 == len({*map(type, values)}) and None not in values:
        return condition
    types = condition.types
    kinds = dict.fromkeys(types)
    groups = {kind: tuple(v for v, own in zip(values, types, strict=True) if own == kind) for kind in kinds}
    return any_of(
        *(
            Comparison(condition.path, "eq", group[0])
            if kind == "null" or len(group) == 1
            else Comparison(condition.path, "in", group)
            for kind, group in groups.items()
        )
    )
