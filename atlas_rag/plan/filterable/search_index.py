"""What an index of type "search" cannot decide of a comparison."""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.field_types import MAX_TOKEN_CHARACTERS, WHOLE
from atlas_rag.plan.filterable.finding import Undecided, line
from atlas_rag.plan.filterable.mapping import Place, Spec, place
from atlas_rag.plan.filterable.numbers import Decision, as_doubles, as_longs
from atlas_rag.query.filter import Comparison

KEYWORD: Final = "lucene.keyword"
LIKE: Final = {"type": "string", "analyzer": KEYWORD}
"""How a search index serves patterns: the whole value as one term."""
STANDARD: Final = "lucene.standard"


def judge(condition: Comparison, definition: Spec, *, negated: bool) -> list[Undecided]:
    """The reasons why a search index cannot decide one comparison; none where it can.

    Presence and explicit null are kept for every mapped path, whatever the type of the value. Source:
    measured on the engine.
    """
    found = place(definition, condition.path)
    if condition.operator == "exists":
        return [] if found.types else [_lacking(condition, found, {"type": "token"})]
    if condition.operator == "like":
        can = any(_is_keyword(one, definition) for one in found.types if one["type"] == "string")
        return [] if can else [_lacking(condition, found, LIKE)]
    problems = []
    for kind in dict.fromkeys(condition.types):
        if kind == "null":
            problem = None if found.types else _lacking(condition, found, {"type": "token"})
        else:
            problem = _judge_kind(condition, kind, found, negated)
        if problem is not None:
            problems.append(problem)
    return problems


def _judge_kind(condition: Comparison, kind: str, found: Place, negated: bool) -> Undecided | None:
    """Why values of this kind cannot be compared at this place, or None."""
    spec = found.of(WHOLE[kind])
    if spec is None:
        return _lacking(condition, found, {"type": WHOLE[kind]})
    if kind == "string":
        return _judge_string(condition, spec, found)
    if kind == "number":
        return _judge_number(condition, spec, found, negated)
    return None


def _judge_string(condition: Comparison, token: Spec, found: Place) -> Undecided | None:
    if token.get("normalizer") not in (None, "none"):
        return _lacking(condition, found, {"type": "token"})
    if is_cut(condition):
        return Undecided(condition.path, CUT)
    return None


def _judge_number(condition: Comparison, number: Spec, found: Place, negated: bool) -> Undecided | None:
    if number.get("indexIntegers") not in (None, True) or number.get("indexDoubles") not in (None, True):
        return _lacking(condition, found, {"type": "number"})
    representation = number.get("representation") or "double"
    if representation == "double":
        if as_doubles(condition) is Decision.EXACT:
            return None
        return _lacking(condition, found, {"type": "number", "representation": "int64"}, AS_DOUBLES)
    if representation != "int64":
        return _lacking(condition, found, {"type": "number"})
    decision = as_longs(condition)
    decision = decision.negated() if negated else decision
    if decision is Decision.EXACT:
        return None
    reason = f"{found.words}, which cuts fractions off"
    if decision is Decision.MORE:
        return Undecided(condition.path, reason, loose=True)
    return _lacking(condition, found, {"type": "number"}, reason)


AS_DOUBLES: Final = "numbers compared as doubles, which tell integers apart below 2^53 only"
CUT: Final = f"strings cut at {MAX_TOKEN_CHARACTERS} characters"


def is_cut(condition: Comparison) -> bool:
    """Whether a string is so long that the index keeps only its beginning."""
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    return any(
        len(one) * 2 >= MAX_TOKEN_CHARACTERS and len(one.encode("utf-16-le")) // 2 >= MAX_TOKEN_CHARACTERS
        for one in values
        if isinstance(one, str)
    )


def _is_keyword(string: Spec, definition: Spec) -> bool:
    """Whether a string is one term, in the index and in the question."""
    whole, own = definition.get("analyzer"), string.get("analyzer")
    indexing = own or whole or STANDARD
    searching = string.get("searchAnalyzer") or own or definition.get("searchAnalyzer") or whole or STANDARD
    return indexing == searching == KEYWORD and string.get("ignoreAbove") is None


def _lacking(condition: Comparison, found: Place, needed: Spec, has: str | None = None) -> Undecided:
    kept = [one for one in found.listed if one["type"] != needed["type"]]
    if not found.listed and found.of("string") is not None and needed["type"] != "string":
        kept.append({"type": "string"})  # a listed path no longer gets what a dynamic mapping gives
    return Undecided(condition.path, has or found.words, line(_nested(condition.path, [*kept, needed])))


def _nested(path: str, types: list[Spec]) -> dict[str, Any]:
    """The entry of `mappings.fields` that gives these types to a path."""
    *parents, last = path.split(".")
    entry: dict[str, Any] = {last: types[0] if len(types) == 1 else types}
    for parent in reversed(parents):
        entry = {parent: {"type": "document", "fields": entry}}
    return entry
