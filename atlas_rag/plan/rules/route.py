"""Where the rankings become one: on the server natively, there by emulation, or here."""

from __future__ import annotations

from atlas_rag.capability.feature import STAGES, Feature
from atlas_rag.errors import Code, RetrievalError
from atlas_rag.plan.draft import Draft, Route
from atlas_rag.plan.fusions import FUSIONS


def choose_route(draft: Draft) -> None:
    """Takes the first allowed route that the deployment has; all give equal ranks and scores.

    `$rerank` needs the fused list on the server, so that the client route is out.

    Raises:
        RetrievalError: FEATURE_UNAVAILABLE if no allowed route is there.
    """
    if draft.belt == "nothing":
        draft.route = Route.NONE
        draft.route_reason = "the filter can match no document"
        return
    if not draft.fuses:
        draft.route = Route.SINGLE
        draft.route_reason = "one input pipeline needs no fusion"
        return
    absent: list[str] = []
    for route in draft.setting.routes:
        obstacle = _obstacle(draft, route)
        if obstacle is not None:
            absent.append(obstacle)
            continue
        lacking = [feature for feature in _needs(draft, route) if not draft.report.can(feature)]
        if not lacking:
            draft.route = route
            draft.route_reason = _reason(draft, route, absent)
            return
        absent += [f"{STAGES[one]}: {draft.report.features[one].reason.replace('_', ' ')}" for one in lacking]
    raise RetrievalError(
        f"No allowed route can fuse on {draft.report.namespace} ({'; '.join(absent)})",
        expected=f"one of {', '.join(draft.setting.routes)}",
        next_step="allow Route.CLIENT, or use a deployment that has the stage",
        code=Code.FEATURE_UNAVAILABLE,
    )


def _needs(draft: Draft, route: Route) -> tuple[Feature, ...]:
    """The features that a route needs on a deployment."""
    if route is Route.NATIVE:
        return FUSIONS[draft.setting.fusion.method].needs
    return (Feature.UNION_OF_SEARCHES,) if route is Route.EMULATED else ()


def _obstacle(draft: Draft, route: Route) -> str | None:
    """Why this call cannot take the route on any deployment."""
    fusion = draft.setting.fusion
    if route is Route.CLIENT:
        if draft.reranking.by == "deployment":
            return "$rerank cannot follow a fusion done here"
        return FUSIONS[fusion.method].obstacle_here(fusion)
    if route is Route.NATIVE and any(one.kind in draft.floors for one in draft.chosen):
        return f"{FUSIONS[fusion.method].stage} takes no min_score per input pipeline"
    return None


def _reason(draft: Draft, route: Route, absent: list[str]) -> str:
    taken = {
        Route.NATIVE: f"the deployment runs {FUSIONS[draft.setting.fusion.method].stage}",
        Route.EMULATED: "one aggregation with $unionWith and $group computes the same",
        Route.CLIENT: "one request per input pipeline, fused here, computes the same",
    }[route]
    return f"{'; '.join(absent)}; {taken}" if absent else taken
