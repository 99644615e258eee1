"""`$rankFusion` and `$scoreFusion`: their own options, and what their input pipelines must be.

Ranked: begins with a stage that brings an order, or sorts. Scored: begins with a stage that brings a score,
or computes one. Selection only: hands documents on as they are.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.check.pipeline.walk import FUSION_STAGES, Pipeline, Stage, inputs, read_pipeline
from atlas_rag.check.report import Codes, Finding
from atlas_rag.grammar.kit import is_document, is_number

UNKNOWN_FIELD = Codes.same(40415)
MISSING_FIELD = Codes.same(40414)
WRONG_TYPE = Codes.same(14)
BAD_VALUE = Codes.same(2)
WEIGHT_NEGATIVE = Codes.same(9460300)
WEIGHTS_TOO_MANY = Codes.same(9460301)
WEIGHT_UNKNOWN = Codes.same(9967500)
WEIGHT_NOT_A_NUMBER = Codes.same(13118)
EXPRESSION_AND_METHOD = Codes.same(10017300)
EXPRESSION_WITH_WEIGHTS = Codes.same(10017301)

_SELECTING = frozenset(
    {"$match", "$sort", "$limit", "$skip", "$sample", "$search", "$vectorSearch", "$geoNear"}
)
_RANKING = frozenset({"$search", "$vectorSearch", "$geoNear"})
_SCORING = frozenset({"$search", "$vectorSearch"})
NORMALIZATIONS = ("none", "sigmoid", "minMaxScaler")
METHODS = ("avg", "expression")


@dataclass(frozen=True, slots=True)
class _Rules:
    """What the two fusions differ in."""

    empty: Codes
    nested: Codes
    unordered: Codes
    not_selection: Codes
    has_score_stage: Codes | None
    word: str
    brings_order: Callable[[Pipeline], bool]
    selecting: frozenset[str]
    combination: frozenset[str]
    input: frozenset[str]


def _is_ranked(pipeline: Pipeline) -> bool:
    names = [stage.name for stage in pipeline.stages]
    return bool(names) and (names[0] in _RANKING or "$sort" in names)


def _is_scored(pipeline: Pipeline) -> bool:
    if not pipeline.stages:
        return False
    first = pipeline.stages[0]
    by_text = first.name == "$match" and is_document(first.body) and "$text" in first.body
    return first.name in _SCORING or by_text or any(stage.name == "$score" for stage in pipeline.stages)


RULES = {
    "$rankFusion": _Rules(
        empty=Codes(9834300, 12108700),
        nested=Codes(10473002, 12108701),
        unordered=Codes(9191100, 12108702),
        has_score_stage=Codes(10614800, 12108703),
        not_selection=Codes(9191103, 12108704),
        word="ranked",
        brings_order=_is_ranked,
        selecting=_SELECTING,
        combination=frozenset({"weights"}),
        input=frozenset({"pipelines"}),
    ),
    "$scoreFusion": _Rules(
        empty=Codes(9402503, 12108710),
        nested=Codes(10473003, 12108711),
        unordered=Codes(9402500, 12108712),
        has_score_stage=None,
        not_selection=Codes(9402502, 12108713),
        word="scored",
        brings_order=_is_scored,
        selecting=_SELECTING | {"$score"},
        combination=frozenset({"weights", "method", "expression"}),
        input=frozenset({"pipelines", "normalization"}),
    ),
}


def fusions(pipeline: Pipeline) -> Iterator[Finding]:
    """Everything that is wrong with the fusion stages of a pipeline."""
    for stage in pipeline.stages:
        if stage.name in RULES:
            yield from _fusion(stage, RULES[stage.name])


def _fusion(stage: Stage, rules: _Rules) -> Iterator[Finding]:
    if not is_document(stage.body):
        yield Finding(stage.path, f"{stage.name} value must be an object", "type", codes=WRONG_TYPE)
        return
    known = frozenset({"input", "combination", "scoreDetails"})
    yield from strict(stage.body, known, stage.path, required=("input",))
    given = stage.body.get("input")
    if is_document(given):
        needed = tuple(sorted(rules.input))
        yield from strict(given, rules.input, f"{stage.path}.input", required=needed)
        yield from _normalization(given, f"{stage.path}.input")
    elif given is not None:
        yield Finding(f"{stage.path}.input", "input must be an object", "type", codes=WRONG_TYPE)
    yield from _inputs(stage, rules)
    yield from _combination(stage, rules)
    details = stage.body.get("scoreDetails")
    if details is not None and not isinstance(details, bool):
        text = "scoreDetails must be a boolean"
        yield Finding(f"{stage.path}.scoreDetails", text, "type", codes=WRONG_TYPE)


def strict(
    document: Mapping[str, Any], known: frozenset[str], path: str, *, required: tuple[str, ...]
) -> Iterator[Finding]:
    """What mongod says about unknown and missing keys of a strict document."""
    for name in document:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=1)
            advice = f'did you mean "{near[0]}"?' if near else f"known: {', '.join(sorted(known))}"
            text = f"BSON field '{name}' is an unknown field"
            yield Finding(f"{path}.{name}", text, "unknown-field", suggestion=advice, codes=UNKNOWN_FIELD)
    for name in required:
        if name not in document:
            text = f"BSON field '{name}' is missing but a required field"
            yield Finding(f"{path}.{name}", text, "required", codes=MISSING_FIELD)


def _normalization(given: Mapping[str, Any], path: str) -> Iterator[Finding]:
    name = given.get("normalization")
    if name is not None and name not in NORMALIZATIONS:
        text = f"normalization must be one of [{', '.join(NORMALIZATIONS)}]"
        yield Finding(f"{path}.normalization", text, "enum", codes=BAD_VALUE)


# ------------------------------------------------------------------ input pipelines


def _inputs(stage: Stage, rules: _Rules) -> Iterator[Finding]:
    given = inputs(stage.body)
    if not given and is_document(stage.body.get("input")) and "pipelines" in stage.body["input"]:
        text = f"{stage.name} input needs at least one pipeline"
        yield Finding(f"{stage.path}.input.pipelines", text, "empty-document", codes=rules.empty)
    for name, stages in given.items():
        path = f"{stage.path}.input.pipelines.{name}"
        yield from _name(name, path)
        if isinstance(stages, list):
            yield from _input(read_pipeline(stages, path), stage.name, rules)
        else:
            yield Finding(path, "an input pipeline must be an array", "type", codes=WRONG_TYPE)


def _name(name: str, path: str) -> Iterator[Finding]:
    complaints = (
        (not name, "FieldPath field names may not be empty strings", 15998),
        (name.startswith("$"), "FieldPath field names may not start with '$'", 16410),
        ("." in name, "FieldPath field names may not contain '.'", 16412),
        ("\0" in name, "FieldPath field names may not contain '\\0'", 16411),
    )
    for wrong, text, code in complaints:
        if wrong:
            yield Finding(path, text, "name", codes=Codes.same(code))


def _input(pipeline: Pipeline, fusion: str, rules: _Rules) -> Iterator[Finding]:
    nested = [stage for stage in pipeline.stages if stage.name in FUSION_STAGES]
    for stage in nested:
        text = f"{stage.name} is not allowed inside an input pipeline of {fusion}"
        yield Finding(stage.path, text, "nested-fusion", codes=rules.nested)
    if nested:
        return
    if not rules.brings_order(pipeline):
        text = f"an input pipeline of {fusion} must be a {rules.word} pipeline"
        advice = f"begin with {_beginnings(fusion)}"
        yield Finding(pipeline.path, text, f"not-{rules.word}", suggestion=advice, codes=rules.unordered)
    for stage in pipeline.stages:
        if stage.name == "$score" and rules.has_score_stage is not None:
            text = f"$score is not allowed inside an input pipeline of {fusion}"
            yield Finding(stage.path, text, "score-stage", codes=rules.has_score_stage)
        elif stage.name not in rules.selecting:
            text = f"an input pipeline of {fusion} may only select documents, and {stage.name} changes them"
            advice = f"move {stage.name} behind {fusion}"
            yield Finding(stage.path, text, "not-selection", suggestion=advice, codes=rules.not_selection)
        else:
            yield from _hands_on(stage, fusion, rules)


def _beginnings(fusion: str) -> str:
    if fusion == "$rankFusion":
        return "$search, $vectorSearch or $geoNear, or sort"
    return "$search, $vectorSearch or $match with $text, or compute a score with $score"


def _hands_on(stage: Stage, fusion: str, rules: _Rules) -> Iterator[Finding]:
    """Options that make a selecting stage change documents."""
    if not is_document(stage.body):
        return
    options = {"$search": ("returnStoredSource",), "$geoNear": ("distanceField", "includeLocs")}
    for option in options.get(stage.name, ()):
        if stage.body.get(option):
            text = f"an input pipeline of {fusion} may only select documents, and {option} changes them"
            path = f"{stage.path}.{option}"
            yield Finding(path, text, "not-selection", codes=rules.not_selection)


# ------------------------------------------------------------------ combination


def _combination(stage: Stage, rules: _Rules) -> Iterator[Finding]:
    given, path = stage.body.get("combination"), f"{stage.path}.combination"
    if given is None:
        return
    if not is_document(given):
        yield Finding(path, "combination must be an object", "type", codes=WRONG_TYPE)
        return
    yield from strict(given, rules.combination, path, required=())
    yield from _weights(given.get("weights"), inputs(stage.body), f"{path}.weights")
    if stage.name == "$scoreFusion":
        yield from _method(given, path)


def _weights(weights: Any, pipelines: Mapping[str, Any], path: str) -> Iterator[Finding]:
    if weights is None:
        return
    if not is_document(weights):
        yield Finding(path, "weights must be an object", "type", codes=WRONG_TYPE)
        return
    if len(weights) > len(pipelines):
        text = f"there are {len(weights)} weights for {len(pipelines)} input pipelines"
        yield Finding(path, text, "weights", codes=WEIGHTS_TOO_MANY)
    for name, weight in weights.items():
        place = f"{path}.{name}"
        if name not in pipelines:
            near = difflib.get_close_matches(name, pipelines, n=1)
            advice = f'did you mean "{near[0]}"?' if near else f"inputs: {', '.join(pipelines)}"
            text = f'weight for "{name}", which is no input pipeline'
            yield Finding(place, text, "weights", suggestion=advice, codes=WEIGHT_UNKNOWN)
        elif not is_number(weight):
            yield Finding(place, "a weight must be a number", "weights", codes=WEIGHT_NOT_A_NUMBER)
        elif weight < 0:
            yield Finding(place, "a weight must not be negative", "weights", codes=WEIGHT_NEGATIVE)


def _method(combination: Mapping[str, Any], path: str) -> Iterator[Finding]:
    method = combination.get("method", "avg")
    has_expression = "expression" in combination
    if method not in METHODS:
        text = f"method must be one of [{', '.join(METHODS)}]"
        yield Finding(f"{path}.method", text, "enum", codes=BAD_VALUE)
    elif has_expression != (method == "expression"):
        text = 'an expression is given exactly with method "expression"'
        yield Finding(path, text, "combination", codes=EXPRESSION_AND_METHOD)
    if has_expression and "weights" in combination:
        text = "weights have no place beside an expression"
        advice = "multiply inside the expression"
        yield Finding(path, text, "combination", suggestion=advice, codes=EXPRESSION_WITH_WEIGHTS)
