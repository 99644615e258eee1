"""Whatever a builder can build, the checker accepts; and it reads back as it was."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from atlas_rag.check import Severity, check
from atlas_rag.stages import Pipeline, read_pipeline
from tests.support import builder_values as values
from tests.support.drawing import Draw, RefusedError

STAGES = {
    "search": values.searches,
    "search_meta": values.search_metas,
    "vector_search": values.vector_searches,
    "fusion": values.fusions,
    "scoring": values.scorings,
}


def refusals(document: Any) -> list[str]:
    """What the checker calls an error in a pipeline."""
    findings = check(document, what="pipeline").findings
    return [f"{one.path}: {one.message}" for one in findings if one.severity is Severity.ERROR]


@pytest.mark.parametrize("draw", STAGES.values(), ids=STAGES)
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 2**64))
def test_the_checker_accepts_what_builders_build(draw: Draw, seed: int) -> None:
    try:
        stage = draw(Random(seed))
    except RefusedError:
        reject()
    document = Pipeline([stage]).to_list()
    assert refusals(document) == []
    assert read_pipeline(document).to_list() == document
