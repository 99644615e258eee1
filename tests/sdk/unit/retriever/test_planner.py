"""What a planner keeps from call to call, and what it must not keep."""

from __future__ import annotations

import pickle
from dataclasses import fields
from typing import Any

import pytest

from atlas_rag import KeywordInput, RetrievalOptions, SearchIndexError, VectorInput, as_vector
from atlas_rag.capability import CapabilityReport, Feature, Reason, Verdict
from atlas_rag.plan import DEFAULT_ROUTES, Planner, finish, planner
from atlas_rag.plan.draft import Draft
from atlas_rag.query.request import Mode, Request

OPTIONS = RetrievalOptions(limit=3)
VECTOR = as_vector([1.0, 2.0])


def report(*, search: bool = True, indexes: Any = None) -> CapabilityReport:
    return CapabilityReport(
        namespace="app.docs",
        deployment="unknown",
        release="8.2.0",
        features={
            one: Verdict(available=search or one is not Feature.SEARCH, reason=Reason.AVAILABLE)
            for one in Feature
        },
        indexes=indexes,
    )


REPORT = report()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """Requests that were decided from the beginning."""
    requests: list[Request] = []
    begin = planner.begin

    def noting(request: Request, *rest: Any) -> Draft:
        requests.append(request)
        return begin(request, *rest)

    monkeypatch.setattr(planner, "begin", noting)
    return requests


def new_planner() -> Planner:
    return Planner((VectorInput(), KeywordInput()), DEFAULT_ROUTES)


def question(text: str, **more: Any) -> Request:
    return Request(text=text, vector=VECTOR, limit=3, **more)


def decisions(draft: Draft) -> tuple[Any, ...]:
    return tuple(getattr(draft, field.name) for field in fields(Draft) if field.name != "request")


def test_equal_circumstances_are_decided_once(made: list[Request]) -> None:
    own = new_planner()
    first, second = (own.begin(question(text), OPTIONS, REPORT) for text in ("cheap", "flights"))
    assert len(made) == 1
    assert decisions(first) == decisions(second)
    assert (first.request.text, second.request.text) == ("cheap", "flights")


@pytest.mark.parametrize(
    ("request_", "options", "report_"),
    [
        (question("cheap", mode=Mode.VECTOR), RetrievalOptions(limit=3, search_mode=Mode.VECTOR), REPORT),
        (question("cheap"), RetrievalOptions(limit=3), REPORT),
        (question("cheap"), OPTIONS, report(search=False)),
        (question("cheap", keywords=()), OPTIONS, REPORT),
    ],
    ids=["options", "equal options", "report", "no keywords"],
)
def test_whatever_else_is_decided_anew(
    made: list[Request], request_: Request, options: RetrievalOptions, report_: CapabilityReport
) -> None:
    own = new_planner()
    own.begin(question("cheap"), OPTIONS, REPORT)
    again = own.begin(request_, options, report_)
    assert len(made) == 2
    assert decisions(again) == decisions(new_planner().begin(request_, options, report_))


def test_what_is_written_into_one_draft_is_in_no_other() -> None:
    own = new_planner()
    for _ in range(2):
        draft = own.begin(question("cheap"), OPTIONS, REPORT)
        draft.request, draft.mode = question("secret"), Mode.VECTOR
    last = own.begin(question("flights"), OPTIONS, REPORT)
    assert (last.request.text, last.mode) == ("flights", Mode.HYBRID)


def test_what_a_caller_does_to_a_plans_weights_is_in_no_other_plan() -> None:
    own = new_planner()
    for _ in range(3):
        plan = finish(own.begin(question("cheap", weights={"vector": 2}), OPTIONS, REPORT))
        assert plan.weights == {"keyword": 1.0, "vector": 2.0}
        plan.weights["vector"] = 0.0  # type: ignore[index]


def test_a_refusal_is_not_kept() -> None:
    own = new_planner()
    for _ in range(2):
        with pytest.raises(SearchIndexError):
            own.begin(question("cheap"), OPTIONS, report(indexes=()))


def test_no_question_travels_with_a_planner() -> None:
    own = new_planner()
    own.begin(question("a secret question"), OPTIONS, REPORT)
    assert b"secret" not in pickle.dumps(own)
    again = pickle.loads(pickle.dumps(own)).begin(question("cheap"), OPTIONS, REPORT)
    assert decisions(again) == decisions(own.begin(question("cheap"), OPTIONS, REPORT))
