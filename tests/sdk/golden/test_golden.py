"""Builders spell what the golden files hold, and read it back."""

from __future__ import annotations

import pytest

from atlas_rag.check import check
from atlas_rag.stages.operators.operator import LEGACY, known_operators, read_operator
from atlas_rag.stages.registry import SEARCH_STAGES
from atlas_rag.stages.stage import read_stage
from tests.sdk.golden.rewrite import FOLDER, golden
from tests.support import golden_cases as cases

DOCUMENTS = cases.documents()


@pytest.mark.parametrize("name", DOCUMENTS)
def test_builders_spell_what_the_file_holds(name: str) -> None:
    assert golden(DOCUMENTS[name]) == (FOLDER / f"{name}.json").read_text(encoding="utf-8")


def test_there_is_a_file_for_every_operator_and_stage() -> None:
    assert set(cases.OPERATORS) == set(known_operators()) - LEGACY
    assert set(cases.STAGES) == set(SEARCH_STAGES)
    assert {path.stem for path in FOLDER.glob("*.json")} == set(DOCUMENTS)


@pytest.mark.parametrize("operator", cases.OPERATORS.values(), ids=cases.OPERATORS)
def test_operators_read_back_and_rebuild(operator: cases.s.Operator) -> None:
    assert read_operator(operator.to_operator()) == operator


@pytest.mark.parametrize("stage", cases.STAGES.values(), ids=cases.STAGES)
def test_stages_read_back(stage: cases.s.Stage) -> None:
    assert read_stage(stage.to_stage()) == stage


@pytest.mark.parametrize("name", cases.STAGES)
def test_the_checker_accepts_the_stages(name: str) -> None:
    assert [one.message for one in check([cases.STAGES[name].to_stage()], what="pipeline").findings] == []
