"""Asks a deployment what it can do, by trying. Nothing is created, changed or read from documents."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Any

from atlas_rag.capability.deployment import kind_of_deployment
from atlas_rag.capability.feature import STAGES, Feature, probe_pipeline
from atlas_rag.capability.listing import read_indexes
from atlas_rag.capability.reason import Reason, classify
from atlas_rag.capability.report import CapabilityReport, Verdict
from atlas_rag.errors import AtlasRagError, ServerError
from atlas_rag.wire import Command, Flow, Reply, gather

PROBE_TIME_LIMIT_MS = 10_000


def probe(namespace: str) -> Flow[CapabilityReport]:
    """The capability report of one collection, in two round trips (the second asks all features at once).

    Needs: what the built-in role `read` may do. Never `explain`, never a decision by version alone.

    Raises:
        ServerError: if the deployment cannot be reached or refuses the credentials.
    """
    database, _, collection = namespace.partition(".")
    info, hello = yield from _introduce()
    release = _release(info)
    answers = yield from _ask(collection)
    listing = answers[Feature.SEARCH_INDEX_LISTING]
    return CapabilityReport(
        namespace=f"{database}.{collection}",
        deployment=kind_of_deployment(info, hello, _addresses(answers.values()), _rows(listing)),
        release=".".join(map(str, release)),
        features={feature: _verdict(feature, answers[feature], release) for feature in Feature},
        indexes=read_indexes(listing.documents) if isinstance(listing, Reply) else None,
    )


def _introduce() -> Generator[Any, Any, tuple[Mapping[str, Any], Mapping[str, Any]]]:
    """Who answers: `buildInfo` and `hello`, which need no privilege. Raises what `buildInfo` meets."""
    names = ("buildInfo", "hello")
    build, hello = yield from gather(
        [Command({name: 1}, database="admin", time_limit_ms=PROBE_TIME_LIMIT_MS) for name in names]
    )
    if not isinstance(build, Reply):
        raise build
    return build.body, hello.body if isinstance(hello, Reply) else {}


def _ask(collection: str) -> Generator[Any, Any, dict[Feature, Reply | AtlasRagError]]:
    commands = [
        Command.aggregate(collection, probe_pipeline(feature, collection), time_limit_ms=PROBE_TIME_LIMIT_MS)
        for feature in Feature
    ]
    answers = yield from gather(commands)
    return dict(zip(Feature, answers, strict=True))


def _addresses(answers: Iterable[Reply | AtlasRagError]) -> list[str]:
    return sorted({answer.address for answer in answers if isinstance(answer, Reply)} - {""})


def _rows(listing: Reply | AtlasRagError) -> list[dict[str, Any]] | None:
    return listing.documents if isinstance(listing, Reply) else None


def _verdict(feature: Feature, answer: Reply | AtlasRagError, release: tuple[int, ...]) -> Verdict:
    if isinstance(answer, Reply):
        return Verdict(available=True, reason=Reason.AVAILABLE, seen=f"{STAGES[feature]} was answered")
    reason = classify(feature, answer, release)
    code = answer.server_code if isinstance(answer, ServerError) else None
    seen = f"server code {code}" if code is not None else answer.problem
    return Verdict(available=reason is Reason.AVAILABLE, reason=reason, server_code=code, seen=seen)


def _release(info: Mapping[str, Any]) -> tuple[int, ...]:
    parts = info.get("versionArray") or str(info.get("version", "0.0.0")).split(".")
    return tuple(int(part) for part in parts[:3])
