"""Folds away conditions that hold for every document or for none, before any target is spelled."""

from __future__ import annotations

from typing import Literal, TypeAlias

from atlas_rag.query.filter import AllOf, AnyOf, Comparison, Filter, Not, all_of, any_of

Simplified: TypeAlias = Filter | Literal["everything", "nothing"]


def simplify(condition: Filter) -> Simplified:
    """The same condition without constant parts; "nothing" needs no round trip at all.

    An `in` without values holds for nothing, a `not_in` without values wherever the path exists; a mixed
    `in` is an OR of one `in` per BSON type, because `$vectorSearch` and `$search` take one type each.
    """
    match condition:
        case Comparison(path, "in", ()):
            return "nothing"
        case Comparison(path, "not_in", ()):
            return Comparison(path, "exists")
        case Comparison(_, "in"):
            return any_of(*_by_type(condition))
        case Comparison(path, "not_in"):
            return all_of(Comparison(path, "exists"), Not(any_of(*_by_type(condition))))
        case Comparison(path, "ne", value):
            return all_of(Comparison(path, "exists"), Not(Comparison(path, "eq", value)))
        case Comparison(path, "not_exists"):
            return Not(Comparison(path, "exists"))
        case AllOf(parts):
            return _fold(parts, absorbing="nothing", neutral="everything")
        case AnyOf(parts):
            return _fold(parts, absorbing="everything", neutral="nothing")
        case Not(part):
            inner = simplify(part)
            if isinstance(inner, str):
                return "nothing" if inner == "everything" else "everything"
            return inner.part if isinstance(inner, Not) else Not(inner)
    return condition


def _fold(
    parts: tuple[Filter, ...],
    *,
    absorbing: Literal["everything", "nothing"],
    neutral: Literal["everything", "nothing"],
) -> Simplified:
    kept: list[Filter] = []
    for part in parts:
        simple = simplify(part)
        if simple == absorbing:
            return absorbing
        if isinstance(simple, Filter):
            kept.append(simple)
    if not kept:
        return neutral
    return all_of(*kept) if neutral == "everything" else any_of(*kept)


def _by_type(condition: Comparison) -> list[Filter]:
    assert isinstance(condition.value, tuple)  # noqa: S101 - narrowed by the operator
    kinds = dict.fromkeys(condition.types)
    groups = {
        kind: tuple(value for value, own in zip(condition.value, condition.types, strict=True) if own == kind)
        for kind in kinds
    }
    return [
        Comparison(condition.path, "eq", values[0])
        if kind == "null" or len(values) == 1
        else Comparison(condition.path, "in", values)
        for kind, values in groups.items()
    ]
