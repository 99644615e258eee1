"""Where the rankings become one: on the server natively, there by emulation, or here."""

from __future__ import annotations

from atlas_rag.capability.feature import STAGES, Feature
from atlas_rag.errors import Code, RetrievalError
from atlas_rag.plan.draft import Draft, Route

NEEDS = {Route.NATIVE: Feature.RANK_FUSION, Route.EMULATED: Feature.UNION_OF_SEARCHES, Route.CLIENT: None}


def choose_route(draft: Draft) -> None:
    """Takes the first allowed route that the deployment has; all give equal ranks and scores.

    Raises:
        RetrievalError: FEATURE_UNAVAILABLE if no allowed route is there.
    """
    if draft.condition == "nothing":
        draft.route = Route.NONE
        draft.route_reason = "the filter can match no document"
        return
    if len(draft.chosen) == 1:
        draft.route = Route.SINGLE
        draft.route_reason = "one input pipeline needs no fusion"
        return
    absent: list[str] = []
    for route in draft.routes:
        feature = NEEDS[route]
        if feature is None or draft.report.can(feature):
            draft.route = route
            draft.route_reason = _reason(route, absent)
            return
        absent.append(f"{STAGES[feature]}: {draft.report.features[feature].reason.value.replace('_', ' ')}")
    raise RetrievalError(
        f"No allowed route can fuse on {draft.report.namespace} ({'; '.join(absent)})",
        expected=f"one of {', '.join(draft.routes)}",
        next_step="allow Route.CLIENT, or use a deployment that has the stage",
        code=Code.FEATURE_UNAVAILABLE,
    )


def _reason(route: Route, absent: list[str]) -> str:
    taken = {
        Route.NATIVE: "the deployment runs $rankFusion",
        Route.EMULATED: "one aggregation with $unionWith and $group computes the same",
        Route.CLIENT: "one request per input pipeline, fused here, computes the same",
    }[route]
    return f"{'; '.join(absent)}; {taken}" if absent else taken
