"""`{$meta: …}` and `$$SEARCH_META`: which stages must have gone before.

Grouping drops metadata. Since 8.2 the old score names are accepted everywhere and are missing where no search
produced them, which is a warning here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from atlas_rag.check.pipeline.walk import FUSION_STAGES, Pipeline, Stage, inner_pipelines, inputs
from atlas_rag.check.report import Codes, Finding, Severity
from atlas_rag.grammar.kit import is_document

NOT_AVAILABLE = Codes.same(40218)
NO_SEARCH_META = Codes.same(6347902)
SEARCH_META_AFTER_UNION = Codes.same(6347901)

_GROUPING = frozenset({"$bucket", "$bucketAuto", "$count", "$facet", "$group", "$sortByCount"})
_SCORING = frozenset({"$search", "$searchBeta", "$vectorSearch", "$score", "$rerank"}) | FUSION_STAGES
_SEARCHING = frozenset({"$search", "$searchBeta", "$searchMeta"})  # `$meta` in their `sort` is their own
_COMBINING = frozenset({"$lookup", "$unionWith"})

_MISSING = {
    "searchScore": "$search",
    "vectorSearchScore": "$vectorSearch",
    "searchHighlights": "$search with highlight",
    "searchScoreDetails": "$search with scoreDetails: true",
    "searchSequenceToken": "$search",
}
"""Names that are not validated: without their producer the value is missing."""


@dataclass(frozen=True, slots=True)
class _Known:
    """The metadata that documents carry at one point of a pipeline."""

    names: frozenset[str] = frozenset()
    searched: bool = False
    combined: bool = False


def metadata(pipeline: Pipeline) -> Iterator[Finding]:
    """Every use of metadata that is not there; branches of `$facet` begin with what their stage was given."""
    if pipeline.inside != "$facet":
        yield from _uses(pipeline, _Known())


def _uses(pipeline: Pipeline, known: _Known) -> Iterator[Finding]:
    for stage in pipeline.stages:
        if stage.name == "$facet":
            for branch in inner_pipelines(stage):
                yield from _uses(branch, known)
        elif stage.name not in _SEARCHING:
            for path, expression in _expressions(stage.body, stage.path):
                yield from _use(expression, path, known)
        known = _after(stage, known)


def _after(stage: Stage, known: _Known) -> _Known:
    if stage.name in _GROUPING:
        return replace(known, names=frozenset())
    if stage.name in _COMBINING:
        return replace(known, combined=True)
    names = known.names | _produced(stage)
    return replace(known, names=names, searched=known.searched or stage.name in ("$search", "$searchBeta"))


def _produced(stage: Stage) -> frozenset[str]:
    body = stage.body if is_document(stage.body) else {}
    names = set()
    if stage.name in _SCORING or (stage.name == "$match" and "$text" in body):
        names.add("score")
    if stage.name in _SCORING and body.get("scoreDetails") is True:
        names.add("scoreDetails")
    if stage.name in ("$search", "$searchBeta"):
        names |= {"searchScore", "searchSequenceToken"}
        names |= {"searchHighlights"} if body.get("highlight") is not None else set()
        names |= {"searchScoreDetails"} if body.get("scoreDetails") is True else set()
    if stage.name == "$vectorSearch":
        names.add("vectorSearchScore")
    if stage.name in FUSION_STAGES:
        inner = {
            one
            for stages in inputs(body).values()
            if isinstance(stages, list)
            for one in _stage_names(stages)
        }
        names |= {"searchScore"} if "$search" in inner else set()
    return frozenset(names)


def _stage_names(stages: list[Any]) -> Iterator[str]:
    for stage in stages:
        if is_document(stage):
            yield from stage


def _use(expression: Any, path: str, known: _Known) -> Iterator[Finding]:
    if isinstance(expression, str):
        yield from _search_meta(path, known)
        return
    name = expression["$meta"]
    if name in ("score", "scoreDetails") and name not in known.names:
        text = f"query requires {name} metadata, but it is not available"
        needed = (
            "scoreDetails: true on the stage that scores" if name == "scoreDetails" else "a search before it"
        )
        yield Finding(path, text, "metadata", suggestion=f"needs {needed}", codes=NOT_AVAILABLE)
    elif name in _MISSING and name not in known.names:
        text = f"the value is missing: {name} comes from {_MISSING[name]}, and grouping drops it"
        yield Finding(path, text, "metadata-missing", Severity.WARNING)


def _search_meta(path: str, known: _Known) -> Iterator[Finding]:
    if known.combined:
        text = "$$SEARCH_META cannot be used after a stage with a sub-pipeline"
        advice = "keep it in a field before $lookup or $unionWith"
        yield Finding(path, text, "search-meta", suggestion=advice, codes=SEARCH_META_AFTER_UNION)
    elif not known.searched:
        text = "$$SEARCH_META is only available after $search"
        yield Finding(path, text, "search-meta", codes=NO_SEARCH_META)


def _expressions(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every `{$meta}` and `$$SEARCH_META` below a value, but not in pipelines of their own."""
    if isinstance(value, str):
        if value == "$$SEARCH_META" or value.startswith("$$SEARCH_META."):
            yield path, value
    elif isinstance(value, Mapping):
        if isinstance(value.get("$meta"), str):
            yield path, value
        for name, item in value.items():
            if name not in ("pipeline", "pipelines"):
                yield from _expressions(item, f"{path}.{name}")
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _expressions(item, f"{path}[{index}]")
