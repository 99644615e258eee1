"""Every "no search here" that deployments give is told apart, with each driver."""

from __future__ import annotations

import pytest

from atlas_rag import CapabilityReport, Code, Feature, RetrievalError
from atlas_rag.capability import Reason
from tests.support import deployments as play
from tests.support.scripted import Script, ScriptedServer, failure
from tests.together.wire.faces import KINDS, use

PLACES = {
    "6.0.5 without search": (
        "6.0.5",
        play.aggregates(lambda stage, _: play.unknown_stage(stage)),
        {"search": Reason.SEARCH_NOT_ENABLED, "rank_fusion": Reason.SERVER_TOO_OLD},
    ),
    "7.0.43 community": (
        "7.0.43",
        play.aggregates(
            lambda stage, _: (
                play.unknown_stage(stage)
                if "Fusion" in stage
                else failure(6047401, f"{stage} stage is only allowed on MongoDB Atlas")
            )
        ),
        {"search": Reason.SEARCH_NOT_ENABLED, "rank_fusion": Reason.SERVER_TOO_OLD},
    ),
    "8.2 without mongot": (
        "8.2.12",
        play.everywhere(failure(31082, play.NOT_ENABLED, "SearchNotEnabled")),
        {"search": Reason.SEARCH_NOT_ENABLED, "rank_fusion": Reason.SEARCH_NOT_ENABLED},
    ),
    "mongot down": (
        "8.2.12",
        play.aggregates(
            lambda stage, _: (
                failure(9834300, "empty") if "Fusion" in stage else failure(6, play.DOWN, "HostUnreachable")
            )
        ),
        {"search": Reason.ENGINE_DOWN, "rank_fusion": Reason.AVAILABLE},
    ),
    "no privilege": (
        "8.2.0",
        play.everywhere(
            failure(13, "not authorized on app to execute command { aggregate: 1 }", "Unauthorized")
        ),
        {"search": Reason.NOT_AUTHORIZED, "search_index_listing": Reason.NOT_AUTHORIZED},
    ),
    "shared tier": (
        "8.0.4",
        play.everywhere(failure(8000, "(AtlasError) user is not allowed to do action", "AtlasError")),
        {"search_index_listing": Reason.TIER_LIMIT},
    ),
    "feature gated by compatibility version": (
        "8.0.4",
        play.atlas(rank_fusion=224, score_fusion=None, fused_score=False),
        {
            "fused_score": Reason.SERVER_TOO_OLD,
            "rank_fusion": Reason.FEATURE_GATED,
            "score_fusion": Reason.SERVER_TOO_OLD,
            "search": Reason.AVAILABLE,
        },
    ),
    "7.0 Atlas": (
        "7.0.14",
        play.atlas(rank_fusion=None, score_fusion=None, union=False),
        {
            "search": Reason.AVAILABLE,
            "vector_search": Reason.AVAILABLE,
            "rank_fusion": Reason.SERVER_TOO_OLD,
            "union_of_searches": Reason.REFUSED,
        },
    ),
    "8.2 Atlas": (
        "8.2.0",
        play.atlas(),
        {**dict.fromkeys(Feature, Reason.AVAILABLE), Feature.RERANK: Reason.SERVER_TOO_OLD},
    ),
    "9.0 Atlas": (
        "9.0.0",
        play.atlas(rank_fusion=12108700, score_fusion=12108710, rerank=True),
        dict.fromkeys(Feature, Reason.AVAILABLE),
    ),
}


def probe(kind: str, version: str, script: Script) -> tuple[CapabilityReport, ScriptedServer]:
    with ScriptedServer(script, version=version) as server:
        report: CapabilityReport = use(kind, server.uri, lambda retriever: retriever.capability())
    return report, server


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", PLACES)
def test_each_answer_is_told_apart(kind: str, place: str) -> None:
    version, script, expected = PLACES[place]
    report, _ = probe(kind, version, script)
    found = {feature: report.features[Feature(feature)].reason for feature in expected}
    assert found == dict(expected)
    assert report.release.startswith(version.rsplit(".", 1)[0])


def test_the_probe_never_explains_writes_or_names_a_version() -> None:
    _, server = probe("sync", "8.2.0", play.atlas())
    assert {next(iter(command)) for command in server.commands} == {"aggregate"}
    stages = [stage for command in server.commands for stage in command["pipeline"]]
    assert not any("$out" in stage or "$merge" in stage for stage in stages)
    assert all("maxTimeMS" in command for command in server.sent("aggregate"))


def test_a_report_is_frozen_and_stable_as_json() -> None:
    report, _ = probe("sync", "8.2.0", play.atlas())
    text = report.model_dump_json()
    assert CapabilityReport.model_validate_json(text).model_dump_json() == text
    with pytest.raises(ValueError, match="frozen"):
        report.release = "9"  # type: ignore[misc]


def test_require_says_what_is_there_how_it_is_known_and_what_is_missing() -> None:
    version, script, _ = PLACES["7.0 Atlas"]
    report, _ = probe("sync", version, script)
    with pytest.raises(RetrievalError) as caught:
        report.require(Feature.RANK_FUSION)
    assert caught.value.code is Code.FEATURE_UNAVAILABLE
    for part in ("$rankFusion", "server code 40324", "7.0.14", "$search, $vectorSearch", "upgrade"):
        assert part in str(caught.value)


def test_indexes_come_with_state_type_and_what_they_map() -> None:
    untyped = {key: value for key, value in play.VECTOR_INDEX.items() if key != "type"}
    building = {**play.TEXT_INDEX, "status": "BUILDING", "queryable": False}
    report, _ = probe("sync", "8.2.0", play.atlas(indexes=(untyped, building)))
    vector, text = report.index("vector_index"), report.index("text_index")
    assert vector is not None
    assert vector.type == "vectorSearch"
    assert vector.filter_paths() == {"tenant"}
    assert text is not None
    assert (text.status, text.queryable) == ("BUILDING", False)
