"""Every valid recorded query and definition goes into builders and comes back; what is refused does not."""

from __future__ import annotations

from collections import Counter

import pytest

from scripts.oracle.builders import KINDS, builds, outcome
from scripts.oracle.parse import CASES, read_cases

FAMILIES = sorted(path.name.removesuffix(".jsonl.gz") for path in CASES.glob("*.jsonl.gz"))


@pytest.fixture(scope="module")
def outcomes() -> dict[str, str]:
    return {case["id"]: outcome(case) for case in read_cases(CASES) if case["valid"]}


def test_what_builders_can_say_comes_back(outcomes: dict[str, str]) -> None:
    failed = {name: result for name, result in outcomes.items() if result in ("refused", "different")}
    assert failed == {}


def test_most_come_back_to_the_letter(outcomes: dict[str, str]) -> None:
    tally = Counter(outcomes.values())
    assert tally["exact"] >= 0.85 * (tally["exact"] + tally["same"])


def test_every_kind_without_a_builder_occurs_and_stays_rare(outcomes: dict[str, str]) -> None:
    tally = Counter(outcomes.values())
    assert [kind.name for kind in KINDS if not tally[kind.name]] == []
    assert sum(tally[kind.name] for kind in KINDS) <= 0.1 * len(outcomes)


def test_what_the_engine_refuses_builders_refuse() -> None:
    refused = [case for case in read_cases(CASES) if not case["valid"]]
    assert len(refused) > 4000
    assert [case["id"] for case in refused if builds(case)] == []
