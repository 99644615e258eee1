"""What a 6.0.5 server answered to about two thousand pipelines: results with their types, codes, texts."""

from __future__ import annotations

import gzip
import re
from typing import Any

import bson
import pytest

from tests.support.mql.parity import OPTIONS, REORDERING, Failure, here, typed
from tests.support.places import DATA

RECORDING = DATA / "mql" / "server-6.0.5.bson.gz"
# Ends of texts that are not repeated word for word: the document in work as the server's executor cut it, the
# state of its date parser, the name of the database.
LOOSE_ENDS = re.compile(
    r"(Input document: ).*|(Error parsing date string|an incomplete date/time string).*"
    r"|(invalid \$lookup namespace: ).*|(Cannot do exclusion on field) \S+",
    re.S,
)


def _recording() -> dict[str, Any]:
    return bson.decode(gzip.decompress(RECORDING.read_bytes()), OPTIONS)


def _loose(message: str) -> str:
    cut = LOOSE_ENDS.sub("…", message)
    # A constant's failure is told while the pipeline is prepared or while it runs: not every time alike.
    return re.sub(r"^(Failed to optimize pipeline|PlanExecutor error during aggregation)", "…", cut)


def _differences(cases: list[dict[str, Any]], documents: dict[str, Any]) -> list[str]:
    found = []
    for case in cases:
        ours = here(documents[case["documents"]], case["pipeline"])
        if not _equal(ours, case["answer"], case["pipeline"]):
            found.append(f"{case['pipeline']}\n  server {case['answer']}\n  ours   {ours}")
    return found


def _equal(ours: Any, theirs: Any, pipeline: list[Any]) -> bool:
    if isinstance(theirs, dict):
        same_code = isinstance(ours, Failure) and ours.code == theirs["code"]
        return same_code and _loose(ours.message) == _loose(theirs["errmsg"])
    if isinstance(ours, Failure):
        return False
    left, right = [typed(document) for document in ours], [typed(document) for document in theirs]
    if any(next(iter(stage), "") in REORDERING for stage in pipeline):
        left, right = sorted(left, key=repr), sorted(right, key=repr)
    return left == right


RECORDED = _recording()
STAGES = sorted({next(iter(case["pipeline"][0]), "empty") for case in RECORDED["cases"]})


@pytest.mark.parametrize("stage", STAGES)
def test_the_answers_are_the_servers(stage: str) -> None:
    cases = [case for case in RECORDED["cases"] if next(iter(case["pipeline"][0]), "empty") == stage]
    differences = _differences(cases, RECORDED["documents"])
    assert not differences, f"{len(differences)} of {len(cases)}\n" + "\n".join(differences[:5])


def test_the_recording_is_as_large_as_it_says() -> None:
    assert len(RECORDED["cases"]) > 1500
