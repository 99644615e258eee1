"""The grammar against the recorded answers of the real search engine's parser."""

from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from atlas_rag.check.extended_json import decode
from atlas_rag.grammar import create_problems, problems
from tests.support.places import ORACLE

DATA = ORACLE / "parse"
FAMILIES = sorted(path.name.removesuffix(".jsonl.gz") for path in DATA.glob("*.jsonl.gz"))
RECORDED_CASES = 6493


def cases(family: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def messages(case: dict[str, Any]) -> list[str]:
    return [problem.message for problem in problems(case["what"], decode(case["input"]))]


def test_every_recorded_case_is_here():
    assert sum(len(cases(family)) for family in FAMILIES) == RECORDED_CASES


@pytest.mark.parametrize("family", FAMILIES)
def test_accepts_and_refuses_as_the_engine_does(family):
    differing = [case["id"] for case in cases(family) if bool(messages(case)) == case["valid"]]
    assert differing == []


@pytest.mark.parametrize("family", FAMILIES)
def test_first_message_is_the_engine_s(family):
    refused = [case for case in cases(family) if not case["valid"]]
    # `exception`: an incidental text of the runtime; `unordered`: the text lists a set in the order of hashes
    worded = [case for case in refused if not case.keys() & {"exception", "unordered"}]
    assert [(case["id"], messages(case)[0]) for case in worded] == [
        (case["id"], case["error"]) for case in worded
    ]


@pytest.mark.parametrize("family", FAMILIES)
def test_sets_in_messages_hold_the_same_names(family):
    def names(text: str) -> tuple[str, set[str]]:
        head, listed = text.split(": [")
        return head, set(listed.removesuffix("]").split(", "))

    for case in cases(family):
        if "unordered" in case:
            assert names(messages(case)[0]) == names(case["error"])


@pytest.mark.parametrize("family", [name for name in FAMILIES if "ndex" in name or name == "analyzers"])
def test_index_creation_refuses_what_the_parser_lets_pass(family):
    for case in cases(family):
        if case["valid"] and case["what"].endswith("Index"):
            vector = case["what"] == "vectorIndex"
            found = create_problems(decode(case["input"]), vector=vector)
            expected = case.get("createError", {}).get("message")
            assert (case["id"], found[0].message if found else None) == (case["id"], expected)
