"""Stages that a server has and this engine has not: refused by name, never ignored."""

from __future__ import annotations

from typing import Any

from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.stages.registry import Build, Run, stage


def _refuse(name: str) -> None:
    @stage(name)
    def compile_stage(argument: Any, build: Build) -> Run:
        raise CommandError(115, f"{name} is not supported by the in-process engine")


for _name in (
    "$changeStream",
    "$collStats",
    "$indexStats",
    "$currentOp",
    "$planCacheStats",
    "$listSessions",
    "$listLocalSessions",
    "$listSampledQueries",
    "$shardedDataDistribution",
):
    _refuse(_name)
