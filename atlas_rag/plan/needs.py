"""Whether a request needs a query vector: asked before anything is spent on an embedding."""

from __future__ import annotations

from atlas_rag.capability.report import CapabilityReport
from atlas_rag.plan.draft import Draft
from atlas_rag.plan.inputs import Input
from atlas_rag.plan.rules.mode import choose_mode
from atlas_rag.plan.rules.require_hybrid import check_required_hybrid
from atlas_rag.query.request import Mode, Request


def needs_vector(request: Request, inputs: tuple[Input, ...], report: CapabilityReport) -> bool:
    """Whether a vector pipeline will run for this request.

    Raises:
        What planning raises for a request that cannot run at all.
    """
    draft = Draft(request=request, inputs=inputs, report=report)
    check_required_hybrid(draft)
    choose_mode(draft)
    return any(one.mode is Mode.VECTOR for one in draft.chosen)
