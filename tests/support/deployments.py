"""How deployments of several kinds answer a capability probe, as facts: what a scripted server plays back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.scripted import Document, Script, failure, rows

NOT_ENABLED = (
    "Using $search and $vectorSearch aggregation stages requires additional configuration. "
    "Please connect to Atlas or an AtlasCLI local deployment to enable."
)
DOWN = "PlanExecutor error during aggregation :: caused by :: Error connecting to localhost:28000"

VECTOR_INDEX = {
    "name": "vector_index",
    "type": "vectorSearch",
    "status": "READY",
    "queryable": True,
    "latestDefinition": {
        "fields": [
            {"type": "vector", "path": "embedding", "numDimensions": 3, "similarity": "cosine"},
            {"type": "filter", "path": "tenant"},
        ]
    },
}
TEXT_INDEX = {
    "name": "text_index",
    "type": "search",
    "status": "READY",
    "queryable": True,
    "latestDefinition": {"mappings": {"dynamic": True, "fields": {"tenant": {"type": "token"}}}},
}


def stage_name(command: Document) -> str:
    """The first stage of an aggregate."""
    return next(iter(command["pipeline"][0])) if command.get("pipeline") else ""


def is_probe(command: Document) -> bool:
    """Whether a search names the index that nobody has."""
    return any("__atlas_rag_probe__" in str(stage) for stage in command["pipeline"])


def aggregates(answer: Callable[[str, Document], Any]) -> Script:
    """A script that answers aggregates by their first stage."""

    def script(name: str, command: Document) -> Any:
        return answer(stage_name(command), command) if name == "aggregate" else None

    return script


def unknown_stage(stage: str) -> Document:
    return failure(40324, f"Unrecognized pipeline stage name: '{stage}'")


def atlas(
    *,
    rank_fusion: int | None = 9834300,
    score_fusion: int | None = 9402503,
    union: bool = True,
    fused_score: bool = True,
    rerank: bool = False,
    indexes: tuple[Document, ...] = (VECTOR_INDEX, TEXT_INDEX),
    answer: Callable[[str, Document], Any] = lambda _stage, _command: rows(),
) -> Script:
    """A deployment with search; a fusion stage is unknown where its code is None."""

    def reply(stage: str, command: Document) -> Any:
        if stage == "$listSearchIndexes":
            return rows(*indexes)
        if stage == "$rankFusion" and not command["pipeline"][0][stage]["input"]["pipelines"]:
            return (
                failure(rank_fusion, "$rankFusion input pipelines is empty")
                if rank_fusion
                else unknown_stage(stage)
            )
        if "'$meta': 'score'" in str(command["pipeline"]) and stage == "$match":
            return (
                failure(40218, "needs score")
                if fused_score
                else failure(17308, "Unsupported argument to $meta")
            )
        if stage == "$match" and "$rerank" in command["pipeline"][-1]:
            return failure(40414, "query is required") if rerank else unknown_stage("$rerank")
        if stage == "$scoreFusion":
            return failure(score_fusion, "$scoreFusion is empty") if score_fusion else unknown_stage(stage)
        if is_probe(command):
            if len(command["pipeline"]) > 2 and not union:
                return failure(40600, "$vectorSearch is not allowed here")
            return rows()
        return answer(stage, command)

    return aggregates(reply)


def everywhere(reply: Document) -> Script:
    """The same answer to every aggregate."""
    return aggregates(lambda _stage, _command: reply)
