"""Where the filter of a question acts: inside each search, on the whole document, or behind it."""

from __future__ import annotations

from atlas_rag.capability.report import SearchIndex
from atlas_rag.errors import CallError, Code
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.filterable import Undecided, divide, split_levels
from atlas_rag.plan.inputs import Input, InputFilter
from atlas_rag.plan.note import Cause
from atlas_rag.query.filter import Filter, all_of, combine
from atlas_rag.stages.filters import simplify


def choose_filters(draft: Draft) -> None:
    """Combines store filter and query filter, store first, and holds them against each index definition.

    Whatever an index does, the belt says the whole filter once more behind each search. What an index cannot
    decide as `Filter` means it is refused, or left to the belt where `filter_policy` is "postfilter".

    Raises:
        CallError: UNSUPPORTED_FILTER (7103): the path, what the index has there, the line to add.
    """
    options = draft.request.options
    condition = combine(options.store_filter, options.filter)
    whole = combine(condition, options.postfilter)
    if whole is None:
        return
    draft.belt = simplify(whole)
    if draft.belt == "nothing" or condition is None:
        return
    inside = simplify(condition)
    if not isinstance(inside, str):
        draft.filters = {}
        draft.each_input(lambda one: _place(draft, one, inside))


def _place(draft: Draft, source: Input, condition: Filter) -> None:
    index = draft.report.index(source.index)
    if index is None:
        draft.note(
            Cause.FILTER_UNCHECKED,
            f"the definition of the index {source.index!r} could not be read: it may leave out what the "
            "filter admits; nothing outside the filter comes back",
            source.name,
        )
        draft.filters = {**draft.filters, source.name: InputFilter(inside=condition)}
        return
    path = source.vector_paths[0] if source.vector_paths else None
    division = divide(condition, index, vector_path=path)
    if division.left and draft.request.options.filter_policy != "postfilter":
        raise _refused(index, division.left[0][1])
    for problem in dict.fromkeys(problem for _, problem in division.left):
        _note(draft, source, problem, "ran behind", "documents beyond its depth were not looked at")
    for problem in sorted(division.loose, key=lambda one: one.path):
        _note(draft, source, problem, "was made exact behind", "what it lets through besides takes up depth")
    after = all_of(*dict.fromkeys(part for part, _ in division.left)) if division.left else None
    draft.filters = {**draft.filters, source.name: _by_level(source, index, division.decided, after)}


def _note(draft: Draft, source: Input, problem: Undecided, what: str, loss: str) -> None:
    text = f"the filter on {problem.path!r} {what} the search of {source.name!r}: the index has {problem.has}"
    draft.note(Cause.FILTER_AFTER_SEARCH, f"{text}; {loss}", source.name)


def _by_level(source: Input, index: SearchIndex, decided: Filter | None, after: Filter | None) -> InputFilter:
    root = index.nested_root()
    if (
        decided is None
        or root is None
        or not any(path.startswith(root + ".") for path in source.vector_paths)
    ):
        return InputFilter(inside=decided, after=after)
    levels = split_levels(decided, root)
    return InputFilter(inside=levels.child, parent=levels.parent, after=after)


def _refused(index: SearchIndex, problem: Undecided) -> CallError:
    return CallError(
        f"The index {index.name!r} cannot decide the filter on {problem.path!r}: it has {problem.has}",
        expected=problem.line or "a filter that this index can decide",
        next_step=problem.next_step,
        code=Code.UNSUPPORTED_FILTER,
    )
