"""What one call may say, and how it becomes a request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from atlas_rag.errors import CallError
from atlas_rag.query.filter import Filter
from atlas_rag.query.request import Mode, Request
from atlas_rag.stages import as_vector


class RetrieveOptions(TypedDict, total=False):
    """Options of one call; what they mean and their defaults: see `Request`. Unknown names are refused."""

    vector: Any
    keywords: Sequence[str] | None
    mode: Mode | str
    filter: Filter | Mapping[str, Any] | None
    limit: int
    skip: int
    depth: int | None
    num_candidates: int | None
    reject_window: int
    weights: Mapping[str, float] | None
    prefer_hybrid_search: bool
    require_hybrid_search: bool
    max_candidates: int


def to_request(text: str | None, store_filter: Filter | None, options: RetrieveOptions) -> Request:
    """The request of one call.

    Raises:
        CallError: INVALID_OPTION, INVALID_FILTER, INVALID_VECTOR, VALUE_NOT_LITERAL.
    """
    unknown = sorted(options.keys() - RetrieveOptions.__annotations__.keys())
    if unknown:
        names = ", ".join(RetrieveOptions.__annotations__)
        raise CallError(f"There is no option {unknown[0]!r}", expected=f"one of {names}")
    if text is not None and not isinstance(text, str):
        raise CallError(f"The question is a {type(text).__name__}", expected="a string")
    values: dict[str, Any] = dict(options)
    if text is None and values.get("vector") is None:
        raise CallError("There is no question", expected="text, a vector, or both")
    for name, convert in (
        ("vector", as_vector),
        ("mode", _mode),
        ("filter", _filter),
        ("keywords", _keywords),
    ):
        if values.get(name) is not None:
            values[name] = convert(values[name])
    return Request(text=text, store_filter=store_filter, **values)


def _filter(value: Any) -> Filter:
    return value if isinstance(value, Filter) else Filter.from_dict(value)


def _keywords(value: Any) -> tuple[str, ...]:
    if isinstance(value, str) or not all(isinstance(word, str) for word in value):
        raise CallError("keywords is not a list of strings", expected="a list; [] for no keyword search")
    return tuple(value)


def _mode(value: Any) -> Mode:
    try:
        return Mode(value)
    except ValueError:
        names = ", ".join(mode.value for mode in Mode)
        raise CallError(f"mode is {value!r}", expected=f"one of {names}") from None
