"""The operators of aggregation expressions, by name, and what an expression holds that is none."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_NAMES = """
abs acos acosh add allElementsTrue and anyElementTrue arrayElemAt arrayToObject asin asinh atan atan2 atanh
avg binarySize bitAnd bitNot bitOr bitXor bsonSize ceil cmp concat concatArrays cond const convert cos cosh
createObjectId dateAdd dateDiff dateFromParts dateFromString dateSubtract dateToParts dateToString dateTrunc
dayOfMonth dayOfWeek dayOfYear degreesToRadians deserializeEJSON divide encStrContains encStrEndsWith
encStrNormalizedEq encStrStartsWith eq exp filter first firstN floor function getField gt gte hash hexHash
hour ifNull in indexOfArray indexOfBytes indexOfCP isArray isNumber isoDayOfWeek isoWeek isoWeekYear last
lastN let literal ln log log10 lt lte ltrim map max maxN median mergeObjects meta millisecond min minN
minute mod month multiply ne not objectToArray or percentile pow radiansToDegrees rand range reduce
regexFind regexFindAll regexMatch replaceAll replaceOne reverseArray round rtrim second serializeEJSON
setDifference setEquals setField setIntersection setIsSubset setUnion sigmoid similarityCosine
similarityDotProduct similarityEuclidean sin sinh size slice sortArray split sqrt stdDevPop stdDevSamp
strLenBytes strLenCP strcasecmp substr substrBytes substrCP subtract subtype sum switch tan tanh toArray
toBool toDate toDecimal toDouble toHashedIndexKey toInt toLong toLower toObject toObjectId toString toUUID
toUpper trim trunc tsIncrement tsSecond type unsetField week year zip
"""
OPERATORS: Final = frozenset(f"${name}" for name in _NAMES.split())
"""Every release's, with their dollars. Source: MongoDB documentation, aggregation expressions."""


def unknown_operator(expression: Any) -> str | None:
    """The first name with a dollar that is no operator, or None; what is literal is not looked into.

    >>> unknown_operator({"$add": ["$$vector", {"$nope": 1}]})
    '$nope'
    """
    if isinstance(expression, Mapping):
        for name, value in expression.items():
            if str(name).startswith("$") and name not in OPERATORS:
                return str(name)
            inner = None if name in ("$literal", "$const") else unknown_operator(value)
            if inner is not None:
                return inner
        return None
    parts = expression if isinstance(expression, (list, tuple)) else ()
    return next((name for part in parts if (name := unknown_operator(part)) is not None), None)
