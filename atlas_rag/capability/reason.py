"""Why a feature is absent: every "no search here" answer told apart, by code and never by version alone."""

from __future__ import annotations

from enum import StrEnum

from atlas_rag.capability.feature import FLOORS, KNOWN_BY_REFUSAL, SHAPE_REFUSALS, Feature
from atlas_rag.errors import AtlasRagError, Code, ServerError

EXPRESSION_UNKNOWN = frozenset({17308, 31325})
"""Codes of a `$meta` argument or an operator that this server does not have."""


class Reason(StrEnum):
    """What a probe found."""

    AVAILABLE = "available"
    SERVER_TOO_OLD = "server_too_old"
    SEARCH_NOT_ENABLED = "search_not_enabled"
    NOT_AUTHORIZED = "not_authorized"
    ENGINE_DOWN = "engine_down"
    TIER_LIMIT = "tier_limit"
    FEATURE_GATED = "feature_gated"
    REFUSED = "refused"
    UNREACHABLE = "unreachable"


NEXT_STEP = {
    Reason.AVAILABLE: "nothing",
    Reason.SERVER_TOO_OLD: "upgrade the server",
    Reason.SEARCH_NOT_ENABLED: "connect to Atlas or Atlas Local, or run mongot beside a server 8.2 or newer",
    Reason.NOT_AUTHORIZED: "grant the built-in role 'read' on the database (it contains listSearchIndexes)",
    Reason.ENGINE_DOWN: "start the search engine (mongot) that the server is configured with",
    Reason.TIER_LIMIT: "move to a dedicated tier, or use the Atlas user interface",
    Reason.FEATURE_GATED: "set the feature compatibility version to the server's own",
    Reason.REFUSED: "look at the server's message; report it if the deployment should have the feature",
    Reason.UNREACHABLE: "check address, network access list and credentials",
}


def classify(feature: Feature, error: AtlasRagError, release: tuple[int, ...]) -> Reason:
    """What an error in answer to a probe says about the feature.

    A stage that the server does not know is "too old" below its first series; from there on the server
    could know it but was built or configured without search.
    """
    if not isinstance(error, ServerError):
        return Reason.REFUSED
    code = error.server_code
    if code in KNOWN_BY_REFUSAL.get(feature, ()):
        return Reason.AVAILABLE
    if code in SHAPE_REFUSALS and feature in KNOWN_BY_REFUSAL:
        return Reason.AVAILABLE
    if code in EXPRESSION_UNKNOWN:
        return Reason.SERVER_TOO_OLD
    if error.code is Code.STAGE_UNKNOWN:
        return Reason.SERVER_TOO_OLD if release < FLOORS[feature] else Reason.SEARCH_NOT_ENABLED
    if code == 224:
        return Reason.FEATURE_GATED
    if code == 8000:
        return Reason.TIER_LIMIT
    return {
        Code.SEARCH_NOT_ENABLED: Reason.SEARCH_NOT_ENABLED,
        Code.SEARCH_ENGINE_DOWN: Reason.ENGINE_DOWN,
        Code.NOT_AUTHORIZED: Reason.NOT_AUTHORIZED,
        Code.AUTHENTICATION_FAILED: Reason.NOT_AUTHORIZED,
        Code.SERVER_UNREACHABLE: Reason.UNREACHABLE,
        Code.SERVER_TIMEOUT: Reason.UNREACHABLE,
        Code.CONNECTION_LOST: Reason.UNREACHABLE,
    }.get(error.code, Reason.REFUSED)
