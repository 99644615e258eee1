"""Stages that a server has and this engine has not: refused by name, never ignored."""

from __future__ import annotations

from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Release
from atlas_rag.inprocess.mql.stages.registry import Build, Run, stage


def _refuse(name: str, release: Release = (0, 0)) -> None:
    @stage(name, release=release)
    def compile_stage(argument: Any, build: Build) -> Run:
        raise CommandError(115, f"{name} is not supported by the in-process engine")


for _name in (
    "$changeStream",
    "$currentOp",
    "$planCacheStats",
    "$listSessions",
    "$listLocalSessions",
    "$shardedDataDistribution",
):
    _refuse(_name)
for _name in ("$changeStreamSplitLargeEvent", "$listSampledQueries", "$queryStats"):
    _refuse(_name, (7, 0))
_refuse("$querySettings", (8, 0))
_refuse("$listClusterCatalog", (8, 1))
