"""A filter document, read clause by clause and compiled into one predicate."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from typing import Any

from bson import Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import arguments, operators
from atlas_rag.inprocess.mql.match.comparisons import equals
from atlas_rag.inprocess.mql.match.geo import geo_intersects, geo_within
from atlas_rag.inprocess.mql.match.json_schema import compile_schema
from atlas_rag.inprocess.mql.match.operators import Predicate, all_of, any_of, negated
from atlas_rag.inprocess.mql.match.paths import Element, Field, Place, as_document
from atlas_rag.inprocess.mql.match.text import NO_TEXT_INDEX, check_text
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render, render_field

ExpressionCompiler = Callable[[Any], Predicate]

_LOGICAL = frozenset({"$and", "$or", "$nor"})
_ALWAYS = frozenset({"$alwaysTrue", "$alwaysFalse"})
# The parts of a database reference, which are fields although they begin with a dollar.
_REFERENCE = frozenset({"$ref", "$id", "$db"})
_WHERE = "$where is not allowed in this context"
# Names that stand where a field may, and so make an `$elemMatch` one of documents.
_ABOVE = _LOGICAL | _ALWAYS | {"$where", "$text", "$expr", "$jsonSchema", "$comment", "$sampleRate"}
_NEAR = frozenset({"$near", "$nearSphere", "$geoNear"})


def compile_filter(query: Mapping[str, Any], expression: ExpressionCompiler | None = None) -> Predicate:
    """Returns a predicate on documents.

    Args:
        expression: compiles the argument of `$expr`; without it `$expr` is refused, as it is everywhere
            below the top level.

    Raises:
        CommandError: code 2 (malformed filter or unknown operator), 51091 and 51108 (regular expressions),
            27 and 5626500 (needs an index), 115 (not supported here).
    """
    predicates = [
        _clause(name, argument, expression) for name, argument in query.items() if name != "$comment"
    ]
    if "$text" in query:  # told when all clauses are read: it is the planner that looks for an index
        raise CommandError(*NO_TEXT_INDEX)
    return all_of(predicates) if predicates else lambda _: True


def _clause(name: str, argument: Any, expression: ExpressionCompiler | None) -> Predicate:
    if not name.startswith("$"):
        return _field(Field(name), argument)
    if name in _REFERENCE:
        return Field(name).predicate(equals(argument))
    if name in _LOGICAL:
        return _logical(name, argument, expression)
    if name == "$expr":
        if expression is None:
            raise CommandError(2, "$expr can only be applied to the top-level document")
        return expression(argument)
    if name in _ALWAYS:
        return _always(name, argument)
    if name == "$sampleRate":
        return _sample_rate(argument)
    if name == "$jsonSchema":
        return compile_schema(argument)
    if name == "$text":
        check_text(argument)
        return lambda _: False
    if name == "$where":
        raise CommandError(2, _WHERE)
    hint = "If you have a field name that starts with a '$' symbol, consider using $getField or $setField."
    if name == "$not":
        hint = "If you are trying to negate an entire expression, use $nor."
    raise CommandError(2, f"unknown top level operator: {name}. {hint}")


def _logical(name: str, argument: Any, expression: ExpressionCompiler | None) -> Predicate:
    clauses = arguments.as_list(argument, f"{name} must be an array")
    if not clauses:
        raise CommandError(2, "$and/$or/$nor must be a nonempty array")
    predicates = [_full(clause, expression) for clause in clauses]
    if name == "$and":
        return all_of(predicates)
    return any_of(predicates) if name == "$or" else negated(any_of(predicates))


def _full(clause: Any, expression: ExpressionCompiler | None) -> Predicate:
    if not isinstance(clause, dict):
        raise CommandError(2, "$or/$and/$nor entries need to be full objects")
    return compile_filter(clause, expression)


def _always(name: str, argument: Any) -> Predicate:
    if arguments.integer(name, argument) != 1:
        raise CommandError(9, f"{name} must be an integer value of 1")
    return lambda _: name == "$alwaysTrue"


def _sample_rate(argument: Any) -> Predicate:
    if not is_number(argument):
        raise CommandError(2, "argument to $sampleRate must be a numeric type")
    if not 0 <= argument <= 1:
        raise CommandError(2, "numeric argument to $sampleRate must be in [0, 1]")
    return lambda _: random.random() < argument  # noqa: S311 - a sample, not a secret


def _field(place: Place, argument: Any) -> Predicate:
    """A clause on one field: operators, a regular expression, or a value to equal."""
    if isinstance(argument, (Regex, re.Pattern)):
        return place.predicate(operators.regex_of(argument))
    if arguments.is_operators(argument):
        return _operators(place, argument)
    return place.predicate(equals(argument))


def _operators(place: Place, argument: Mapping[str, Any]) -> Predicate:
    first, value = next(iter(argument.items()))
    if first in _NEAR and isinstance(value, (dict, list)):
        text = "$geoNear, $near, and $nearSphere are not allowed in this context"
        raise CommandError(5626500, text)
    predicates = [_operator(place, name, value, argument) for name, value in argument.items()]
    return all_of([predicate for predicate in predicates if predicate is not None])


def _operator(place: Place, name: str, value: Any, siblings: Mapping[str, Any]) -> Predicate | None:
    if name in _NEAR:
        raise CommandError(2, f"near must be first in: {render(siblings)}")
    if name == "$where":
        raise CommandError(2, "$where cannot be applied to a field")
    if name == "$regex":
        return place.predicate(operators.regex_with_options(siblings))
    if name == "$options":  # read with the expression it belongs to
        if "$regex" not in siblings:
            raise CommandError(2, "$options needs a $regex")
        return None
    if name not in _OPERATORS:
        raise CommandError(2, f"unknown operator: {name}")
    if name in _ALONE and len(siblings) > 1:
        names = list(siblings)
        extra = names[max(names.index(name), 1)]
        raise CommandError(2, f"can't parse extra field: {render_field(extra, siblings[extra])}")
    return _OPERATORS[name](place, name, value)


def _not(place: Place, argument: Any) -> Predicate:
    if isinstance(argument, (Regex, re.Pattern)):
        return negated(_field(place, argument))
    if not isinstance(argument, dict):
        raise CommandError(2, "$not needs a regex or a document")
    if not argument:
        raise CommandError(2, "$not cannot be empty")
    return negated(_operators(place, argument))


def _element_match(place: Place, argument: Any) -> Predicate:
    """`$elemMatch`: operators apply to each element, other clauses to each element as a document."""
    if not isinstance(argument, dict):
        raise CommandError(2, "$elemMatch needs an Object")
    first = next(iter(argument), "")
    if arguments.is_operators(argument) and first not in _ABOVE:
        return _any_element(place, _operators(Element(), argument))
    if first in ("$text", "$sampleRate"):
        raise CommandError(2, f"{first} can only be applied to the top-level document")
    predicate = compile_filter(argument)

    def matches(item: Any) -> bool:
        document = as_document(item)
        return document is not None and predicate(document)

    return _any_element(place, matches)


def _any_element(place: Place, matches: Callable[[Any], bool]) -> Predicate:
    def test(value: Any) -> bool:
        return isinstance(value, list) and any(map(matches, value))

    return place.predicate(test, look_into_leaf=False)


def _all(place: Place, argument: Any) -> Predicate:
    items = arguments.as_list(argument, "$all needs an array")
    if not items:
        return lambda _: False
    read = _all_elements if _first_name(items[0]) == "$elemMatch" else _all_values
    return all_of([read(place, item) for item in items])


def _first_name(item: Any) -> str:
    return next(iter(item), "") if isinstance(item, dict) else ""


def _all_elements(place: Place, item: Any) -> Predicate:
    if _first_name(item) != "$elemMatch":
        raise CommandError(2, "$all/$elemMatch has to be consistent")
    return _element_match(place, item["$elemMatch"])


def _all_values(place: Place, item: Any) -> Predicate:
    """One value to hold; a document is one too, unless it begins with an operator."""
    if _first_name(item) in _NEVER_IN_ALL:
        raise CommandError(2, "no $ expressions in $all")
    if isinstance(item, (Regex, re.Pattern)):
        return place.predicate(operators.regex_of(item))
    return place.predicate(equals(item))


# Operators that stand no other one beside them.
_ALONE = frozenset({"$geoWithin", "$within", "$geoIntersects"})
_OPERATORS: dict[str, Callable[[Place, str, Any], Predicate]] = {
    **dict.fromkeys(("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"), operators.comparison),
    **dict.fromkeys(("$in", "$nin"), operators.membership),
    **dict.fromkeys(("$bitsAllSet", "$bitsAllClear", "$bitsAnySet", "$bitsAnyClear"), operators.bits),
    **dict.fromkeys(("$geoWithin", "$within"), geo_within),
    "$geoIntersects": geo_intersects,
    "$exists": lambda place, _, value: operators.existence(place, value),
    "$type": lambda place, _, value: operators.of_type(place, value),
    "$size": lambda place, _, value: operators.of_size(place, value),
    "$mod": lambda place, _, value: operators.remainder(place, value),
    "$not": lambda place, _, value: _not(place, value),
    "$elemMatch": lambda place, _, value: _element_match(place, value),
    "$all": lambda place, _, value: _all(place, value),
}
_NEVER_IN_ALL = _NEAR | {"$regex", "$options", *_OPERATORS} - {"$not"}
