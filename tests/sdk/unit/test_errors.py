"""Errors: permanent codes, messages with a next step, nothing lost on the way through pickle."""

from __future__ import annotations

import inspect
import pickle

import pytest

from atlas_rag import AtlasRagError, Code, errors
from tests.support.places import ROOT

CLASSES = [
    one for _, one in inspect.getmembers(errors, inspect.isclass) if issubclass(one, errors.AtlasRagError)
]


def test_codes_are_unique_and_each_family_has_its_hundred() -> None:
    assert len({int(code) for code in errors.Code}) == len(errors.Code)
    assert {int(code) // 100 for code in errors.Code} == {71, 72, 73, 74, 75, 76}


def test_the_four_codes_of_retrieval_keep_their_numbers() -> None:
    assert {code.name: int(code) for code in errors.Code if 7200 <= code < 7205} == {
        "RAG_RETRIEVER_MISSING": 7201,
        "RAG_RETRIEVAL_FAILED": 7202,
        "RAG_COLLECTION_NOT_SEARCHABLE": 7203,
        "RAG_CONTEXT_BUDGET_TOO_SMALL": 7204,
    }


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_errors_say_problem_expectation_and_next_step_and_survive_pickle(
    kind: type[errors.AtlasRagError],
) -> None:
    error = kind("It broke", expected="a whole one", next_step="mend it", code=errors.Code.TOO_LARGE)
    assert str(error) == "[7411] It broke. Expected: a whole one. Next step: mend it."
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), again.code) == (kind, str(error), error.code)


def test_a_server_error_keeps_what_the_server_said() -> None:
    error = errors.ServerError("No", server_code=40324, code_name="Location40324", server_message="m")
    again = pickle.loads(pickle.dumps(error))
    assert (again.server_code, again.code_name, again.server_message) == (40324, "Location40324", "m")


@pytest.mark.parametrize("code", Code)
def test_every_error_points_to_its_entry(code: Code) -> None:
    url = AtlasRagError("x", code=code).url
    assert url.endswith(f"/errors/#{int(code)}")
    page = (ROOT / "docs" / "errors.md").read_text(encoding="utf-8")
    assert f"{{ #{int(code)} }}" in page
