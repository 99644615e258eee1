"""The decisions of a retriever's last call, kept for the next one."""

from __future__ import annotations

from typing import Any, NamedTuple

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.plan.draft import Draft, Route
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.plan import begin
from atlas_rag.query.request import Request


class _Last(NamedTuple):
    options: object
    report: CapabilityReport
    has_keywords: bool
    draft: Draft
    """With no question in it."""


class Planner:
    """Begins the plans of one retriever; a service mostly asks with the same options of the same deployment.

    What is decided before a question is embedded depends on these two, and on whether there are keywords: not
    on the words, nor on the vector. Where all three are those of the last call, its decisions hold again.

    Args:
        inputs: the retriever's input pipelines. routes: allowed ways to fuse, in order of preference.
    """

    def __init__(self, inputs: tuple[Input, ...], routes: tuple[Route, ...]) -> None:
        self._inputs = inputs
        self._routes = routes
        self._last: _Last | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Planner, (self._inputs, self._routes)

    def begin(self, request: Request, options: object, report: CapabilityReport) -> Draft:
        """As `plan.begin`.

        Args:
            options: what all of the request but text, vector and keywords was made from; never changed.
        """
        last, has_keywords = self._last, bool(request.keyword_text)
        if (
            last is not None
            and last.options is options
            and last.report is report
            and last.has_keywords is has_keywords
        ):
            return last.draft.of(request)
        draft = begin(request, self._inputs, report, self._routes)
        self._last = _Last(options, report, has_keywords, draft.of(Request()))
        return draft
