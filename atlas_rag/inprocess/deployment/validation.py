"""Validators: which documents a collection takes, and what is said of those that it does not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.match import Predicate, compile_filter
from atlas_rag.inprocess.mql.values import MISSING
from atlas_rag.inprocess.mql.values.paths import value_at

Document = Mapping[str, Any]

LEVELS = ("off", "strict", "moderate")
ACTIONS = ("error", "warn")
_COMPARISONS = ("$eq", "$gt", "$gte", "$lt", "$lte")


class Validator:
    """The options `validator`, `validationLevel` and `validationAction` of a collection.

    Raises:
        CommandError: the validator is no filter.
    """

    def __init__(self, options: Document) -> None:
        self._condition: Document = options.get("validator", {})
        self._matches: Predicate = compile_filter(self._condition)
        refuses = options.get("validationAction", "error") == "error"
        self._level = options.get("validationLevel", "strict") if refuses and self._condition else "off"

    def conforms(self, document: Document) -> bool:
        """Whether the validator takes a document, whatever level and action are."""
        return self._matches(document)

    def check(self, document: Document, before: Document | None = None) -> None:
        """Refuses a document that is to be stored.

        Args:
            before: what it replaces; at level `moderate` it may be as wrong as that.

        Raises:
            CommandError: 121, with `errInfo`.
        """
        if self._level == "off" or self._matches(document):
            return
        if self._level == "moderate" and before is not None and not self._matches(before):
            return
        error = CommandError(121, "Document failed validation")
        details = _explanation(self._condition, document)
        error.details = {"errInfo": {"failingDocumentId": document.get("_id"), "details": details}}
        raise error


def _explanation(condition: Document, document: Document) -> dict[str, Any]:
    """Returns which operator refused the document, and for a schema which of its rules."""
    if list(condition) == ["$jsonSchema"]:
        rules = list(_broken_rules(condition["$jsonSchema"], document))
        return {"operatorName": "$jsonSchema", "schemaRulesNotSatisfied": rules}
    failed = [{path: part} for path, part in condition.items() if not compile_filter({path: part})(document)]
    ((path, part),) = failed[0].items()
    name = next(iter(part), "") if isinstance(part, Mapping) else "$eq"
    operator = path if path.startswith("$") else name if name.startswith("$") else "$eq"
    explained = {"operatorName": operator, "specifiedAs": failed[0]}
    if operator not in _COMPARISONS:
        return explained
    value = value_at(document, path.split("."))
    if value is MISSING:
        return {**explained, "reason": "field was missing"}
    considered = "consideredValues" if isinstance(value, list) else "consideredValue"
    return {**explained, "reason": "comparison failed", considered: value}


def _broken_rules(schema: Document, value: Any) -> Iterator[dict[str, Any]]:
    """Yields the keywords of a schema that a value breaks; properties one by one."""
    for keyword, argument in schema.items():
        if keyword in ("title", "description") or _keeps({keyword: argument}, value):
            continue
        if keyword == "properties":
            yield {
                "operatorName": "properties",
                "propertiesNotSatisfied": _broken_properties(argument, value),
            }
            continue
        rule = {"operatorName": keyword, "specifiedAs": {keyword: argument}}
        if keyword == "required":
            rule["missingProperties"] = [name for name in argument if name not in value]
        yield rule


def _broken_properties(properties: Document, value: Document) -> list[dict[str, Any]]:
    broken = []
    for name, schema in properties.items():
        if name not in value or _keeps({"properties": {name: schema}}, value):
            continue
        about = {"description": schema["description"]} if "description" in schema else {}
        rules = [
            {"operatorName": keyword, "specifiedAs": {keyword: argument}}
            for keyword, argument in schema.items()
            if keyword not in ("title", "description")
            and not _keeps({"properties": {name: {keyword: argument}}}, value)
        ]
        broken.append({"propertyName": name, **about, "details": rules})
    return broken


def _keeps(schema: Document, value: Any) -> bool:
    return compile_filter({"$jsonSchema": schema})(value)
