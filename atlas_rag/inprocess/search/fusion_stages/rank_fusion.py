"""`$rankFusion`: the documents of several input pipelines by reciprocal rank fusion."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from atlas_rag.fusion import FusedItem, fuse_ranks
from atlas_rag.inprocess.mql.expressions.metadata import SORTABLE
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.search import wanted_rows
from atlas_rag.inprocess.mql.stages.sorting import compile_sort
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.sorting import field_key
from atlas_rag.inprocess.search.fusion_stages.arguments import checked_fields
from atlas_rag.inprocess.search.fusion_stages.details import RANK_FUSION_TEXT, rank_entry
from atlas_rag.inprocess.search.fusion_stages.fused import Found, by_key, fused_rows
from atlas_rag.inprocess.search.fusion_stages.inputs import (
    MISPLACED,
    InputPipeline,
    check_place,
    declare_metadata,
    read_inputs,
)
from atlas_rag.inprocess.search.fusion_stages.rules import Code, InputRules
from atlas_rag.inprocess.search.fusion_stages.weights import read_weights

NAME = "$rankFusion"
_RULES = InputRules(
    stage=NAME,
    ranks=frozenset({"$search", "$vectorSearch", "$geoNear"}),
    ranks_anywhere="$sort",
    text_ranks=False,
    expected="must be ranked: begin with $search, $vectorSearch or $geoNear, or hold a $sort",
    none=Code(2, 12108700),
    empty=Code(9834300, 12108702),
    nested=Code(10473002, 12108701),
    unranked=Code(9191100, 12108702),
    no_score=Code(10614800, 12108703),
    not_selecting=Code(9191103, 12108704),
)
_NAMES_ABSENCE = (8, 2)


@stage(NAME, release=(8, 0), is_source=True, misplaced=MISPLACED, needs_collection=True)
def rank_fusion(argument: Any, build: Build) -> Run:
    """Ranks what the input pipelines return."""
    check_place(NAME, build)
    fields = checked_fields(
        NAME, argument, {"input": "object", "combination": "object", "scoreDetails": "bool"}, ("input",)
    )
    source = checked_fields(f"{NAME}.input", fields["input"], {"pipelines": "object"}, ("pipelines",))
    weights_given = _weights_given(fields)
    inputs = read_inputs(source["pipelines"], _RULES, build)
    weights = read_weights(NAME, weights_given, [each.name for each in inputs])
    keys = [_rank_key(each, build) for each in inputs]
    with_details = bool(fields.get("scoreDetails"))
    most = wanted_rows(build.rest)
    names_absence = build.context.release >= _NAMES_ABSENCE
    declare_metadata(inputs, build, details=with_details)

    def describe(item: FusedItem, found: list[Row | None]) -> Mapping[str, Any]:
        entries = [
            rank_entry(entry, row, names_absence=names_absence)
            for entry, row in zip(item.contributions, found, strict=True)
        ]
        return {"value": item.score, "description": RANK_FUSION_TEXT, "details": entries}

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        found = [Found.of(each, variables, key) for each, key in zip(inputs, keys, strict=True)]
        items = fuse_ranks([each.ranked for each in found], weights, limit=most, id_key=by_key, finite=False)
        return fused_rows(items, found, describe if with_details else None)

    return run


def _weights_given(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    if "combination" not in fields:
        return {}
    combination = checked_fields(
        f"{NAME}.combination", fields["combination"], {"weights": "object"}, ("weights",)
    )
    given: Mapping[str, Any] = combination["weights"]
    return given


def _rank_key(source: InputPipeline, build: Build) -> Callable[[Row], Any]:
    """What an input pipeline is ranked by: rows with equal keys share a rank."""
    for each in reversed(source.stages):
        if "$sort" in each:  # the last sort wins
            return compile_sort(each["$sort"], build.scope._replace(metadata=SORTABLE)).key
    if source.first == "$geoNear":
        return lambda row: row.meta.get("geoNearDistance")
    order = source.stages[0].get("$search", {}).get("sort")
    if isinstance(order, Mapping):
        return _search_sort_key(order)
    return lambda row: row.meta.get("score")


def _search_sort_key(order: Mapping[str, Any]) -> Callable[[Row], Any]:
    parts = [_search_sort_part(path, direction) for path, direction in order.items()]
    return lambda row: tuple([part(row) for part in parts])


def _search_sort_part(path: str, direction: Any) -> Callable[[Row], Any]:
    if isinstance(direction, Mapping) and "$meta" in direction:
        return lambda row: row.meta.get("score")
    step = direction.get("order", 1) if isinstance(direction, Mapping) else direction
    read = field_key(path, float(step) < 0)
    return lambda row: read(row.doc)
