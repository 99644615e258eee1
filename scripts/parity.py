"""Compares the in-process engine with a real server over many random pipelines, and prints the differences.

Example: python scripts/parity.py --runs 10000 --seed 7 --json
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import bson
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import HypothesisWarning
from pymongo import MongoClient

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support import mongod
from tests.support.mql import parity
from tests.support.mql.pipelines import FAMILIES, pipelines
from tests.support.mql.reasons import known
from tests.support.mql.values import documents


class Tally:
    """What came of all runs."""

    def __init__(self) -> None:
        self.runs = self.refusals = 0
        self.reasons: Counter[str] = Counter()
        self.differences: list[dict[str, str]] = []

    def add(
        self, client: MongoClient[Any], given_documents: list[dict[str, Any]], pipeline: list[Any]
    ) -> None:
        """Runs one pipeline on both sides."""
        self.runs += 1
        try:
            theirs = parity.there(client, given_documents, pipeline)
        except bson.errors.InvalidBSON:
            self.reasons["the server cut a string within a character, which no driver can read"] += 1
            return
        try:
            ours = parity.here(given_documents, pipeline)
        except Exception as error:  # not a refusal but a fault, and so a difference of its own
            ours = parity.Failure(None, repr(error))
        self.refusals += isinstance(theirs, parity.Failure)
        kind = parity.difference(ours, theirs, pipeline)
        if kind is None:
            return
        if reason := known(kind, pipeline, ours, theirs):
            self.reasons[reason] += 1
            return
        found = {"documents": given_documents, "pipeline": pipeline, "theirs": theirs, "ours": ours}
        self.differences.append({"kind": kind, **{name: str(value) for name, value in found.items()}})

    def summary(self) -> dict[str, Any]:
        """Returns the outcome as plain data."""
        return {
            "runs": self.runs,
            "refused by both": self.refusals,
            "differences": len(self.differences),
            "known reasons": dict(self.reasons),
        }


def compare(runs: int, first_seed: int, family: str | None = None) -> Tally:
    """Runs that many random pipelines against a server started for it."""
    tally = Tally()
    with mongod.running() as uri, MongoClient(uri) as client:

        @seed(first_seed)
        @settings(
            max_examples=runs,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(documents(), FAMILIES[family] if family else pipelines)
        def one(given_documents: list[dict[str, Any]], pipeline: list[Any]) -> None:
            tally.add(client, given_documents, pipeline)

        one()
    return tally


def main() -> int:
    """Prints the outcome; fails if there is a difference without a known reason."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, default=1000, help="how many pipelines (default 1000)")
    parser.add_argument("--seed", type=int, default=1, help="where the random numbers start (default 1)")
    parser.add_argument("--family", choices=sorted(FAMILIES), help="only pipelines of this kind")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    arguments = parser.parse_args()
    # Only about the length of the strategies' descriptions.
    warnings.simplefilter("ignore", HypothesisWarning)
    tally = compare(arguments.runs, arguments.seed, arguments.family)
    if arguments.json:
        print(json.dumps({**tally.summary(), "examples": tally.differences}, ensure_ascii=False))
    else:
        for name, value in tally.summary().items():
            print(f"{name}: {value}")
        for difference in tally.differences:
            print("\n" + "\n".join(f"{name}: {text}" for name, text in difference.items()))
    return 1 if tally.differences else 0


if __name__ == "__main__":
    sys.exit(main())
