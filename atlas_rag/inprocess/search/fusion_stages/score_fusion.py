"""`$scoreFusion`: the documents of several input pipelines by their combined scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from atlas_rag.fusion import NORMALIZATIONS, FusedItem, fuse_scores
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions import Evaluate, compile_expression
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.stages.search import wanted_rows
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.search.fusion_stages.arguments import ANY, checked_choice, checked_fields
from atlas_rag.inprocess.search.fusion_stages.details import SCORE_FUSION_TEXT, score_entry, shown_expression
from atlas_rag.inprocess.search.fusion_stages.fused import Found, by_key, fused_rows
from atlas_rag.inprocess.search.fusion_stages.inputs import (
    MISPLACED,
    check_place,
    declare_metadata,
    read_inputs,
)
from atlas_rag.inprocess.search.fusion_stages.rules import Code, InputRules
from atlas_rag.inprocess.search.fusion_stages.score import as_score
from atlas_rag.inprocess.search.fusion_stages.weights import read_weights

NAME = "$scoreFusion"
_RULES = InputRules(
    stage=NAME,
    ranks=frozenset({"$search", "$vectorSearch"}),
    ranks_anywhere="$score",
    text_ranks=True,
    expected="must be scored: begin with $search, $vectorSearch or a $match with $text, or hold a $score",
    none=Code(9402503, 12108710),
    empty=Code(9402500, 12108712),
    nested=Code(10473003, 12108711),
    unranked=Code(9402500, 12108712),
    not_selecting=Code(9402502, 12108713),
)
_METHODS = ("avg", "expression")


@stage(NAME, release=(8, 2), is_source=True, misplaced=MISPLACED, needs_collection=True)
def score_fusion(argument: Any, build: Build) -> Run:
    """Combines the scores of what the input pipelines return."""
    check_place(NAME, build)
    fields = checked_fields(
        NAME, argument, {"input": "object", "combination": "object", "scoreDetails": "bool"}, ("input",)
    )
    source = checked_fields(
        f"{NAME}.input",
        fields["input"],
        {"pipelines": "object", "normalization": "string"},
        ("pipelines", "normalization"),
    )
    normalization = checked_choice(f"{NAME}.input.normalization", source["normalization"], NORMALIZATIONS)
    combination = _read_combination(fields.get("combination", {}))
    inputs = read_inputs(source["pipelines"], _RULES, build)
    names = [each.name for each in inputs]
    weights = read_weights(NAME, combination.get("weights", {}), names)
    expression = None
    if "expression" in combination:
        expression = compile_expression(combination["expression"], build.scope.with_variables(*names))
    with_details = bool(fields.get("scoreDetails"))
    most = wanted_rows(build.rest)
    declare_metadata(inputs, build, details=with_details)
    describe = _describer(normalization, combination) if with_details else None

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        found = [Found.of(each, variables, lambda row: as_score(row.meta.get("score"))) for each in inputs]
        items = fuse_scores(
            [each.ranked for each in found],
            weights,
            normalization=normalization,
            combine=None if expression is None else _combiner(expression, found, variables),
            limit=most,
            id_key=by_key,
        )
        return fused_rows(items, found, describe)

    return run


def _read_combination(given: Any) -> Mapping[str, Any]:
    """Raises 10017300 (an expression without its method, or the reverse), 10017301 (and weights)."""
    kinds = {"method": "string", "weights": "object", "expression": ANY}
    combination = checked_fields(f"{NAME}.combination", given, kinds)
    method = checked_choice(f"{NAME}.combination.method", combination.get("method", "avg"), _METHODS)
    if (method == "expression") != ("expression" in combination):
        text = (
            "combination.expression should be specified if, and only if, combination.method is 'expression'"
        )
        raise CommandError(10017300, f"{NAME} {text}")
    if method == "expression" and "weights" in combination:
        text = "combination.weights cannot be given with combination.expression: weigh inside the expression"
        raise CommandError(10017301, f"{NAME} {text}")
    return combination


def _combiner(
    expression: Evaluate, found: list[Found], variables: Mapping[str, Any]
) -> Callable[[Any, Mapping[str, float]], float]:
    """The fused score of one document: the expression over it, with a variable for each input pipeline."""
    documents: dict[Any, Row] = {}
    for each in reversed(found):
        documents.update(each.rows)

    def combine(key: Any, scores: Mapping[str, float]) -> float:
        return as_score(expression(documents[key], {**variables, **scores}))

    return combine


def _describer(
    normalization: str, combination: Mapping[str, Any]
) -> Callable[[FusedItem, list[Row | None]], Mapping[str, Any]]:
    method: dict[str, Any] = {"method": "average"}
    if "expression" in combination:
        method = {"method": "custom expression", "expression": shown_expression(combination["expression"])}

    def describe(item: FusedItem, rows: list[Row | None]) -> Mapping[str, Any]:
        return {
            "value": item.score,
            "description": SCORE_FUSION_TEXT,
            "normalization": normalization,
            "combination": method,
            "details": [score_entry(entry, row) for entry, row in zip(item.contributions, rows, strict=True)],
        }

    return describe
