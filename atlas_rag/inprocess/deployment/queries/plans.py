"""Which index serves a query: what `explain` tells.

Only `_id` is looked up here; everything else is a scan, which is fast enough for what this engine is for. The
plan is therefore the one that a server makes of the same indexes: whoever reads it wants to know whether the
query has an index there. Its figures are counted on the documents that are here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.types import is_number

Document = dict[str, Any]

_RANGES = frozenset({"$gt", "$gte", "$lt", "$lte"})
_EQUALITIES = frozenset({"$eq", "$in"})


@dataclass(frozen=True)
class Scan:
    """How documents are found.

    Attributes:
        stage: EOF, IDHACK, COLLSCAN or IXSCAN.
        index: the specification of the index, for IXSCAN.
        bounded: the part of the query that the index answers.
        rest: the part that is left for the documents.
        sorted: whether the documents come in the order that was asked for.
        direction: "forward" or "backward".
    """

    stage: str
    index: Mapping[str, Any] = field(default_factory=dict)
    bounded: Mapping[str, Any] = field(default_factory=dict)
    rest: Mapping[str, Any] = field(default_factory=dict)
    sorted: bool = False
    direction: str = "forward"

    def tree(self) -> Document:
        """Returns the stages as `explain` nests them."""
        if self.stage == "COLLSCAN":
            return {"stage": "COLLSCAN", "filter": dict(self.rest), "direction": self.direction}
        if self.stage != "IXSCAN":
            return {"stage": self.stage}
        index = self.index
        scan = {
            "stage": "IXSCAN",
            "keyPattern": dict(index["key"]),
            "indexName": index["name"],
            "isUnique": bool(index.get("unique")),
            "isSparse": bool(index.get("sparse")),
            "isPartial": "partialFilterExpression" in index,
            "indexVersion": 2,
            "direction": self.direction,
        }
        return {"stage": "FETCH", **({"filter": dict(self.rest)} if self.rest else {}), "inputStage": scan}

    def examined(self, namespace: Namespace | None) -> tuple[int, int]:
        """Returns how many keys and documents are looked at."""
        if namespace is None or self.stage == "EOF":
            return 0, 0
        if self.stage == "COLLSCAN":
            return 0, len(namespace.rows)
        matches = compile_filter(self.bounded)
        number = sum(matches(document) for document in namespace.documents())
        return number, number


def plan(namespace: Namespace | None, query: Mapping[str, Any], sort: Mapping[str, Any], hint: Any) -> Scan:
    """Returns how a server finds the documents of a query.

    Args:
        hint: the name or the keys of an index that is there, or None.
    """
    if namespace is None:
        return Scan("EOF", rest=query)
    conditions = dict(_conditions(query))
    if hint is None and list(query) == ["_id"] and _use(query["_id"]) == 1 and not _is_in(query["_id"]):
        return Scan("IDHACK", bounded=query, sorted=True)
    if isinstance(hint, Mapping) and "$natural" in hint:
        return Scan("COLLSCAN", rest=query)
    best, score = Scan("COLLSCAN", rest=query), 0.0
    for index in namespace.indexes.values():
        if hint is not None and hint not in (index["name"], index["key"]):
            continue
        scan, found = _by_index(index, query, conditions, sort)
        if found > score or hint is not None:
            best, score = scan, found
    return best


def _by_index(
    index: Mapping[str, Any], query: Mapping[str, Any], conditions: Mapping[str, Any], sort: Mapping[str, Any]
) -> tuple[Scan, float]:
    """Returns a scan of an index, and how much it is worth: 0 for nothing."""
    bounded, worth, equal = {}, 0.0, 0
    for path in index["key"]:
        use = _use(conditions[path]) if path in conditions else 0.0
        if not use:
            break
        bounded[path] = conditions[path]
        worth += use
        if use < 1:
            break
        equal += 1
    direction = _direction(index["key"], sort, equal)
    rest = {name: condition for name, condition in query.items() if name not in bounded}
    scan = Scan("IXSCAN", index, bounded, rest, bool(direction) or not sort, direction or "forward")
    usable = all(map(is_number, index["key"].values())) and not index.get("hidden")
    needs_all = index.get("sparse") and not bounded
    if not usable or needs_all or "partialFilterExpression" in index:
        return scan, 0.0
    return scan, worth + (0.25 if sort and direction else 0.0)


def _conditions(query: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yields (path, condition) of all that must hold."""
    for name, condition in query.items():
        if name == "$and" and isinstance(condition, list):
            for part in condition:
                yield from _conditions(part)
        elif not name.startswith("$"):
            yield name, condition


def _use(condition: Any) -> float:
    """Returns 1 for equality, 0.5 for a range, 0 for what an index does not bound."""
    if isinstance(condition, Mapping) and next(iter(condition), "").startswith("$"):
        names = set(condition)
        return 1.0 if names & _EQUALITIES else 0.5 if names & _RANGES else 0.0
    return 0.0 if type_name(condition) == "regex" else 1.0


def _is_in(condition: Any) -> bool:
    return isinstance(condition, Mapping) and "$in" in condition


def _direction(keys: Mapping[str, Any], sort: Mapping[str, Any], equal: int) -> str:
    """Returns in which direction an index gives the order asked for, "" for in none.

    Fields that are held equal do not matter for the order.
    """
    if not sort:
        return ""
    for skipped in range(equal + 1):
        after = list(keys.items())[skipped : skipped + len(sort)]
        for direction, sign in (("forward", 1), ("backward", -1)):
            if [(path, way * sign) for path, way in after] == list(sort.items()):
                return direction
    return ""
