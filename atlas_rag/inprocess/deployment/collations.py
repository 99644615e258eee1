"""Collations as commands give them, and documents seen through one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from bson import Regex

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import numbers, type_name
from atlas_rag.inprocess.mql.values.collation import Collation
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render

Document = Mapping[str, Any]

_DEFAULTS = {
    "caseLevel": False,
    "caseFirst": "off",
    "numericOrdering": False,
    "alternate": "non-ignorable",
    "backwards": False,
}
_WITHOUT_EFFECT = ("maxVariable", "normalization", "version")  # as long as the others are the defaults
_STRONGEST = 3
_NOT_FOLDED = frozenset({"$regex", "$expr", "$jsonSchema", "$where", "$text"})
_KEPT = frozenset({"$type", "$mod", "$comment"})
_STAGES = frozenset({"$match", "$sort", "$skip", "$limit", "$count"})


def read_collation(given: Document) -> Collation | None:
    """Returns the rules, None for plain comparison (locale `simple`).

    Raises:
        CommandError: 40414, 40415, 14, 51024 as the server; 115 for a locale other than English, strengths
            above 3, and every other option that is not the default.
    """
    if not given:
        return None
    for name in given:
        if name not in (*_DEFAULTS, *_WITHOUT_EFFECT, "locale", "strength"):
            raise CommandError(40415, f"BSON field 'collation.{name}' is an unknown field.")
    if "locale" not in given:
        raise CommandError(40414, "BSON field 'collation.locale' is missing but a required field")
    locale = given["locale"]
    if not isinstance(locale, str):
        text = (
            f"BSON field 'collation.locale' is the wrong type '{type_name(locale)}', expected type 'string'"
        )
        raise CommandError(14, text)
    if locale == "simple":
        return None
    if locale.partition("_")[0] != "en":
        raise _refused(f"locale {render(locale)}")
    for name, default in _DEFAULTS.items():
        if given.get(name, default) != default:
            raise _refused(f"{name} {render(given[name])}")
    strength = numbers.whole(given.get("strength", _STRONGEST))
    if strength is None or not 1 <= strength <= 5:
        bound = ">= 1" if strength is not None and strength < 1 else "<= 5"
        text = f"BSON field 'strength' value must be {bound}, actual value '{given['strength']}'"
        raise CommandError(51024, text)
    if strength > _STRONGEST:
        raise _refused(f"strength {strength}")
    return Collation(strength)


def _refused(what: str) -> CommandError:
    return CommandError(115, f"collation: {what} is not supported by the in-process engine")


def folded_query(query: Document, collation: Collation) -> dict[str, Any]:
    """Returns a query whose constants compare as a collation wants. Raises 115 for what cannot be folded."""
    return {name: _folded(name, value, collation) for name, value in query.items()}


def _folded(name: str, value: Any, collation: Collation) -> Any:
    if name in _KEPT:
        return value
    if name in _NOT_FOLDED or isinstance(value, (Regex, re.Pattern)):
        what = "$regex" if isinstance(value, (Regex, re.Pattern)) else name
        raise _refused(f"{what} together with a collation")
    if isinstance(value, Mapping):
        return folded_query(value, collation)
    if isinstance(value, list):
        return [_folded("", item, collation) for item in value]
    return collation.folded(value)


def folded_pipeline(pipeline: Iterable[Any], collation: Collation) -> list[Any]:
    """Returns a pipeline that compares as a collation wants. Raises 115 for other stages than can."""
    stages = []
    for stage in pipeline:
        for name in stage if isinstance(stage, Mapping) else ():
            if name not in _STAGES:
                raise _refused(f"{name} together with a collation")
        match = stage.get("$match") if isinstance(stage, Mapping) else None
        stages.append({"$match": folded_query(match, collation)} if isinstance(match, Mapping) else stage)
    return stages


class Folding:
    """Documents seen through a collation, and led back to themselves."""

    def __init__(self, collation: Collation) -> None:
        self._collation = collation
        self._originals: dict[int, tuple[Row, Row]] = {}  # holds the folded ones, so that no id comes twice

    def rows(self, rows: Iterable[Row]) -> Iterator[Row]:
        """Yields rows whose text is replaced by keys."""
        for row in rows:
            seen = Row(self._collation.folded(row.doc))
            self._originals[id(seen.doc)] = (seen, row)
            yield seen

    def original(self, row: Row) -> Row:
        """Returns the row that was folded; a row that was made since, as it is."""
        return self._originals.get(id(row.doc), (row, row))[1]
