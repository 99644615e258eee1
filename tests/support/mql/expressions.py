"""Strategies of aggregation expressions, by the kind of value they mostly give.

Nine operands in ten are of the kind an operator takes; the tenth is of any kind, and so mostly an error.
"""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.support.mql import values

Strategy = st.SearchStrategy[Any]

# What each operator gives, and the kinds of its operands; a kind with `*` may be given any number of times.
OPERATORS: dict[str, list[tuple[str, list[str]]]] = {
    "num": [
        *(("$add", ["num*"]), ("$multiply", ["num*"]), ("$subtract", ["num", "num"])),
        *(("$divide", ["num", "num"]), ("$mod", ["num", "num"]), ("$abs", ["num"]), ("$ceil", ["num"])),
        *(("$floor", ["num"]), ("$round", ["num", "small"]), ("$trunc", ["num", "small"])),
        *(("$sqrt", ["num"]), ("$cmp", ["any", "any"]), ("$size", ["arr"]), ("$strLenCP", ["str"])),
        *(("$strLenBytes", ["str"]), ("$indexOfCP", ["str", "str"]), ("$indexOfBytes", ["str", "str"])),
        *(("$indexOfArray", ["arr", "any"]), ("$sum", ["any*"]), ("$avg", ["num*"]), ("$sum", ["arr"])),
        *(
            ("$avg", ["arr"]),
            ("$stdDevPop", ["num*"]),
            ("$stdDevSamp", ["arr"]),
            ("$strcasecmp", ["str", "str"]),
        ),
        *(("$year", ["date"]), ("$month", ["date"]), ("$dayOfMonth", ["date"]), ("$hour", ["date"])),
        *(("$week", ["date"]), ("$isoWeek", ["date"]), ("$dayOfYear", ["date"]), ("$dayOfWeek", ["date"])),
        *(
            ("$isoWeekYear", ["date"]),
            ("$minute", ["date"]),
            ("$second", ["date"]),
            ("$millisecond", ["date"]),
        ),
        *(("$subtract", ["date", "date"]), ("$toInt", ["any"]), ("$toLong", ["any"]), ("$toDouble", ["any"])),
        *(
            ("$toDecimal", ["any"]),
            ("$toHashedIndexKey", ["any"]),
            ("$bsonSize", ["obj"]),
            ("$binarySize", ["str"]),
            ("$pow", ["int", "small"]),
        ),
    ],
    "str": [
        *(("$concat", ["str*"]), ("$toUpper", ["str"]), ("$toLower", ["any"]), ("$toString", ["any"])),
        *(
            ("$substrCP", ["str", "small", "small"]),
            ("$substr", ["any", "small", "small"]),
            ("$type", ["any"]),
        ),
    ],
    "date": [
        *(("$add", ["date", "num"]), ("$subtract", ["date", "int"]), ("$toDate", ["any"])),
    ],
    "arr": [
        *(("$concatArrays", ["arr*"]), ("$reverseArray", ["arr"]), ("$slice", ["arr", "small"])),
        *(("$slice", ["arr", "small", "small"]), ("$range", ["small", "small"]), ("$split", ["str", "str"])),
        *(("$setUnion", ["arr*"]), ("$setIntersection", ["arr*"]), ("$setDifference", ["arr", "arr"])),
        *(("$objectToArray", ["obj"]), ("$range", ["small", "small", "small"])),
    ],
    "obj": [("$mergeObjects", ["obj*"]), ("$mergeObjects", ["obj", "obj"])],
    "bool": [
        *(("$and", ["any*"]), ("$or", ["any*"]), ("$not", ["any"]), ("$eq", ["any", "any"])),
        *(
            ("$ne", ["any", "any"]),
            ("$gt", ["any", "any"]),
            ("$gte", ["num", "num"]),
            ("$lt", ["any", "any"]),
        ),
        *(("$lte", ["str", "str"]), ("$in", ["any", "arr"]), ("$isArray", ["any"]), ("$isNumber", ["any"])),
        *(("$setEquals", ["arr", "arr"]), ("$setIsSubset", ["arr", "arr"]), ("$toBool", ["any"])),
        *(("$allElementsTrue", ["arr"]), ("$anyElementTrue", ["arr"])),
    ],
    "any": [
        *(
            ("$arrayElemAt", ["arr", "small"]),
            ("$first", ["arr"]),
            ("$last", ["arr"]),
            ("$ifNull", ["any", "any"]),
        ),
        *(("$cond", ["bool", "any", "any"]), ("$max", ["any*"]), ("$min", ["any*"]), ("$max", ["arr"])),
        *(("$min", ["arr"]), ("$ifNull", ["any", "any", "any"])),
    ],
}
# Operators with named arguments: the kind of each argument, `?` where it may be left out.
NAMED: dict[str, list[tuple[str, dict[str, str]]]] = {
    "str": [
        *(("$trim", {"input": "str", "chars?": "str"}), ("$ltrim", {"input": "str"})),
        ("$replaceAll", {"input": "str", "find": "letter", "replacement": "str"}),
        ("$replaceOne", {"input": "str", "find": "letter", "replacement": "str"}),
        ("$dateToString", {"date": "date", "format?": "format", "timezone?": "zone", "onNull?": "str"}),
    ],
    "date": [
        ("$dateAdd", {"startDate": "date", "unit": "unit", "amount": "small", "timezone?": "zone"}),
        ("$dateSubtract", {"startDate": "date", "unit": "unit", "amount": "small"}),
        ("$dateTrunc", {"date": "date", "unit": "unit", "binSize?": "positive", "timezone?": "zone"}),
        ("$dateFromParts", {"year": "year", "month?": "small", "day?": "small", "hour?": "small"}),
    ],
    "num": [
        ("$dateDiff", {"startDate": "date", "endDate": "date", "unit": "unit", "timezone?": "zone"}),
    ],
    "obj": [
        ("$dateToParts", {"date": "date", "timezone?": "zone"}),
        ("$setField", {"field": "name", "input": "obj", "value": "any"}),
        ("$unsetField", {"field": "name", "input": "obj"}),
        ("$regexFind", {"input": "str", "regex": "pattern"}),
    ],
    "bool": [("$regexMatch", {"input": "str", "regex": "pattern", "options?": "flags"})],
    "arr": [
        ("$map", {"input": "arr", "in": "inner"}),
        ("$filter", {"input": "arr", "cond": "inner", "limit?": "positive"}),
        ("$sortArray", {"input": "arr", "sortBy": "direction"}),
        ("$firstN", {"input": "arr", "n": "positive"}),
        ("$maxN", {"input": "arr", "n": "positive"}),
        ("$minN", {"input": "arr", "n": "positive"}),
        ("$lastN", {"input": "arr", "n": "positive"}),
        ("$regexFindAll", {"input": "str", "regex": "pattern"}),
    ],
    "any": [
        ("$convert", {"input": "any", "to": "target", "onError?": "str", "onNull?": "str"}),
        ("$getField", {"field": "name", "input": "obj"}),
        ("$reduce", {"input": "arr", "initialValue": "num", "in": "folding"}),
        ("$let", {"vars": "bindings", "in": "inner"}),
    ],
}
CONSTANTS: dict[str, Strategy] = {
    "small": st.sampled_from([0, 1, 2, 3, -1, -2, 1.0, 1.5]),
    "int": st.sampled_from([0, 1, 2, 3, 7, -1, -2, 2**31 - 1]),
    "positive": st.sampled_from([1, 2, 3, 7]),
    "year": st.sampled_from([1, 1999, 2024, 9999]),
    "letter": st.sampled_from(["a", "b", "ab", "é", " "]),
    "name": st.sampled_from(["a", "b", "c"]),
    "unit": st.sampled_from(
        ["year", "quarter", "month", "week", "day", "hour", "minute", "second", "millisecond"]
    ),
    "zone": st.sampled_from(["UTC", "America/New_York", "+05:30", "Europe/Paris"]),
    "format": st.sampled_from(["%Y-%m-%d", "%H:%M:%S.%L", "%j %U %V %G %u %w", "%z %Z %%"]),
    "pattern": st.sampled_from(["a", "^a", "b", "(a)(b)?", "[a-z]+", ".", "é"]),
    "flags": st.sampled_from(["", "i"]),
    "direction": st.sampled_from([1, -1, {"a": 1}, {"a": -1, "b": 1}]),
    "target": st.sampled_from(["int", "long", "double", "decimal", "string", "bool", "date", "objectId"]),
    "inner": st.sampled_from(
        ["$$this", {"$gt": ["$$this", 1]}, {"$type": "$$this"}, {"$ifNull": ["$$this.a", 0]}, "$n", True]
    ),
    "folding": st.sampled_from(
        [{"$cond": [{"$isNumber": "$$this"}, {"$add": ["$$value", "$$this"]}, "$$value"]}, "$$this"]
    ),
    "bindings": st.sampled_from([{"this": "$a"}, {"this": "$n", "that": 1}]),
}
FIELDS: dict[str, list[str]] = {
    "num": ["$n", "$m", "$n", "$z"],
    "int": ["$_id"],
    "str": ["$s", "$t", "$s", "$z"],
    "date": ["$d", "$d", "$z"],
    "arr": ["$l", "$l", "$l", "$z", "$l.a"],
    "obj": ["$o", "$o", "$$ROOT", "$z"],
    "bool": ["$f"],
    "any": ["$a", "$b", "$a.b", "$o.a", "$n", "$s", "$l", "$z", "$a.0", "$$REMOVE"],
}
LITERALS: dict[str, Strategy] = {
    "num": values.numbers,
    "str": values.strings,
    "date": values.dates,
    "arr": st.builds(lambda items: {"$literal": items}, values.arrays),
    "obj": st.builds(lambda items: {"$literal": items}, values.objects),
    "bool": values.booleans,
    "any": st.builds(lambda item: {"$literal": item}, values.values),
}
KINDS = tuple(OPERATORS)


@st.composite
def expressions(draw: st.DrawFn, kind: str = "any", depth: int = 2) -> Any:
    """An expression that mostly gives a value of one kind."""
    if kind in OPERATORS and draw(st.integers(0, 9)) == 0:
        kind = draw(st.sampled_from(KINDS))
    if kind in CONSTANTS:
        return draw(st.sampled_from(FIELDS[kind]) if kind in FIELDS and draw(booleans) else CONSTANTS[kind])
    choice = draw(st.integers(0, 5))
    if depth == 0 or choice == 0:
        return draw(st.sampled_from(FIELDS[kind]) if draw(st.integers(0, 2)) else LITERALS[kind])
    if choice == 1 and kind in NAMED:
        return draw(_named(kind, depth - 1))
    if choice == 2:
        other = draw(st.sampled_from(KINDS))
        return draw(expressions(other, depth - 1)) if kind == "any" else draw(_operator(kind, depth - 1))
    return draw(_operator(kind, depth - 1))


booleans = st.booleans()


@st.composite
def _operator(draw: st.DrawFn, kind: str, depth: int) -> Any:
    name, kinds = draw(st.sampled_from(OPERATORS[kind]))
    if kinds[0].endswith("*"):
        count = draw(st.integers(1, 3))
        return {name: [draw(expressions(kinds[0][:-1], depth)) for _ in range(count)]}
    return {name: [draw(expressions(operand, depth)) for operand in kinds]}


@st.composite
def _named(draw: st.DrawFn, kind: str, depth: int) -> Any:
    name, arguments = draw(st.sampled_from(NAMED[kind]))
    given = {}
    for argument, operand in arguments.items():
        if not argument.endswith("?") or draw(booleans):
            given[argument.rstrip("?")] = draw(expressions(operand, depth))
    return {name: given}
