"""Keywords on numbers and strings: bounds, divisors, lengths, patterns."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from functools import partial

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match.arguments import BAD_VALUE
from atlas_rag.inprocess.mql.match.comparisons import ordered
from atlas_rag.inprocess.mql.match.json_schema.keyword import Compile, Keyword, unless_other_type
from atlas_rag.inprocess.mql.match.paths import Test
from atlas_rag.inprocess.mql.match.regex import compile_regex
from atlas_rag.inprocess.mql.values.numbers import to_decimal
from atlas_rag.inprocess.mql.values.types import is_number

# A remainder is exact however far the operands lie apart: 10^6144 and 10^-6176 are the widest decimals.
_EXACT = decimal.Context(prec=12_400, Emax=decimal.MAX_EMAX, Emin=decimal.MIN_EMIN)


def _bound(operator: str, keyword: Keyword) -> Test:
    """`minimum` and `maximum`; a neighbour makes them exclusive."""
    if not is_number(keyword.argument):
        raise keyword.mismatch("must be a number")
    exclusive = keyword.schema.get(_exclusive(keyword.name)) is True
    return unless_other_type(is_number, ordered(operator if exclusive else f"{operator}e", keyword.argument))


def _exclusive(name: str) -> str:
    return f"exclusive{name.capitalize()}"


def _exclusiveness(bound: str, keyword: Keyword) -> None:
    """`exclusiveMinimum` and `exclusiveMaximum`, in draft 4 a flag beside the bound."""
    if bound not in keyword.schema:
        text = f"must be a present if {keyword.name} is present"
        raise keyword._replace(name=bound).failure(text)
    keyword.flag()


def _multiple(keyword: Keyword) -> Test | None:
    divisor = keyword.argument
    if not is_number(divisor):
        raise keyword.mismatch("must be a number")
    exact = to_decimal(divisor)
    if not exact.is_nan() and exact <= 0:
        raise keyword.failure("must have a positive value")
    if keyword.is_root:  # a document is no number, and the server looks no further
        return None
    if not exact.is_finite():
        raise CommandError(BAD_VALUE, f"divisor cannot be {'NaN' if exact.is_nan() else 'infinite'}")

    def test(value: float) -> bool:
        number = to_decimal(value)
        return number.is_finite() and _EXACT.remainder(number, exact) == 0

    return unless_other_type(is_number, test)


def _is_string(value: object) -> bool:
    return value.__class__ is str


def _length(accepts: Callable[[int, int], bool], keyword: Keyword) -> Test:
    limit = keyword.size()
    return unless_other_type(_is_string, lambda value: accepts(len(value), limit))


def _pattern(keyword: Keyword) -> Test | None:
    if not isinstance(keyword.argument, str):
        raise keyword.mismatch("must be a string")
    if keyword.is_root:  # a document is no string, and the server does not look at the pattern
        return None
    return unless_other_type(_is_string, compile_regex(keyword.argument).matches)


KEYWORDS: dict[str, Compile] = {
    "pattern": _pattern,
    "maxLength": partial(_length, lambda length, limit: length <= limit),
    "minLength": partial(_length, lambda length, limit: length >= limit),
    "multipleOf": _multiple,
    "exclusiveMaximum": partial(_exclusiveness, "maximum"),
    "maximum": partial(_bound, "$lt"),
    "exclusiveMinimum": partial(_exclusiveness, "minimum"),
    "minimum": partial(_bound, "$gt"),
}
