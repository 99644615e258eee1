"""Samples a collection against index definitions and reports what would silently not be found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from atlas_rag.errors import CallError
from atlas_rag.indexes.desired.wanted import WantedIndex
from atlas_rag.indexes.documents.fields import filter_paths, judge_document
from atlas_rag.indexes.documents.values import kind, values_at
from atlas_rag.wire import Command, Flow, public_flow

DEFAULT_SAMPLE = 1000
EXAMPLES = 3

Findings = dict[tuple[str, str, str, str], list[Any]]
"""`_id`s by index, path, problem and fix."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One kind of trouble on one path of one index.

    Args:
        count: documents of the sample with it. examples: some of their `_id`s.
        fix: what to do.
    """

    index: str
    path: str
    problem: str
    count: int
    examples: tuple[Any, ...]
    fix: str

    def to_dict(self) -> dict[str, Any]:
        """As JSON; `_id`s as text."""
        return {
            "index": self.index,
            "path": self.path,
            "problem": self.problem,
            "count": self.count,
            "examples": [str(one) for one in self.examples],
            "fix": self.fix,
        }


@public_flow
def check_documents(
    namespace: str, wanted: Sequence[WantedIndex], *, sample: int = DEFAULT_SAMPLE
) -> Flow[tuple[int, tuple[Problem, ...]]]:
    """Reads a random sample and checks each document against each index.

    Args:
        sample: documents to read, ≥ 1; default 1000.

    Returns:
        how many documents were read, and the problems, most frequent first.
    """
    if sample < 1:
        raise CallError(f"sample is {sample}", expected="1 or more")
    collection = namespace.partition(".")[2]
    reply = yield Command.aggregate(collection, [{"$sample": {"size": sample}}], max_rows=sample)
    return len(reply.documents), judge_documents(reply.documents, wanted)


def judge_documents(
    documents: Sequence[Mapping[str, Any]], wanted: Sequence[WantedIndex]
) -> tuple[Problem, ...]:
    """The problems of these documents, most frequent first."""
    found: Findings = defaultdict(list)
    for index in wanted:
        for document in documents:
            for path, problem, fix in dict.fromkeys(judge_document(document, index)):
                found[index.name, path, problem, fix].append(document.get("_id"))
        for path in filter_paths(index):
            _judge_kinds(documents, index.name, path, found)
    problems = [
        Problem(name, path, problem, len(ids), tuple(ids[:EXAMPLES]), fix)
        for (name, path, problem, fix), ids in found.items()
    ]
    return tuple(sorted(problems, key=lambda one: (-one.count, one.index, one.path, one.problem)))


def _judge_kinds(documents: Sequence[Mapping[str, Any]], name: str, path: str, found: Findings) -> None:
    """Several kinds of value under one filter: a filter finds one of them only."""
    by_kind: dict[str, list[Any]] = defaultdict(list)
    for document in documents:
        for one in {kind(value) for value in values_at(document, path) if value is not None}:
            by_kind[one].append(document.get("_id"))
    if len(by_kind) > 1:
        rare = min(by_kind, key=lambda one: (len(by_kind[one]), one))
        problem = f"mixed types ({', '.join(sorted(by_kind))}): a filter finds one type only"
        found[name, path, problem, "store one type in this field"] = by_kind[rare]
