"""Where the search stages may stand."""

from __future__ import annotations

from collections.abc import Iterator

from atlas_rag.check.pipeline.walk import FUSION_STAGES, SEARCH_STAGES, Pipeline, Stage
from atlas_rag.check.report import Codes, Finding

NOT_FIRST = Codes.same(40602)
IN_FACET = Codes.same(40600)
NOT_A_STAGE = Codes.same(40323)
UNRECOGNIZED = Codes.same(40324)
FUSION_NOT_FIRST = Codes.same(10170100)
VECTOR_IN_LOOKUP = Codes(51047, None)
FUSION_IN_LOCAL_LOOKUP = Codes(12982600, None)

_FIRST = SEARCH_STAGES | FUSION_STAGES | {"$listSearchIndexes"}


def positions(pipeline: Pipeline) -> Iterator[Finding]:
    """Every stage that may not stand where it stands."""
    for stage in pipeline.stages:
        if not stage.name:
            text = "A pipeline stage specification object must contain exactly one field."
            yield Finding(stage.path, text, "stage-shape", codes=NOT_A_STAGE)
        elif not stage.name.startswith("$"):
            text = f"Unrecognized pipeline stage name: '{stage.name}'"
            advice = f'write "${stage.name}"'
            yield Finding(stage.path, text, "stage-name", suggestion=advice, codes=UNRECOGNIZED)
        elif stage.name in _FIRST:
            yield from _first_stage(stage, pipeline)


def _first_stage(stage: Stage, pipeline: Pipeline) -> Iterator[Finding]:
    if pipeline.inside == "$facet":
        text = f"{stage.name} is not allowed to be used within a $facet stage"
        advice = "search first, then branch with $facet" if stage.index == 0 else None
        yield Finding(stage.path, text, "in-facet", suggestion=advice, codes=IN_FACET)
    if stage.index > 0:
        codes = FUSION_NOT_FIRST if stage.name in FUSION_STAGES else NOT_FIRST
        text = f"{stage.name} is only valid as the first stage in a pipeline"
        yield Finding(stage.path, text, "first-stage", suggestion=_instead(stage, pipeline), codes=codes)
    if pipeline.inside == "$lookup":
        yield from _in_lookup(stage, pipeline)


def _instead(stage: Stage, pipeline: Pipeline) -> str | None:
    earlier = pipeline.stages[0].name
    if earlier in SEARCH_STAGES and stage.name in SEARCH_STAGES:
        return "combine two searches with $rankFusion, $scoreFusion or $unionWith"
    if earlier == "$match" and stage.name == "$vectorSearch":
        return "put the condition into $vectorSearch.filter"
    if earlier == "$match" and stage.name in ("$search", "$searchMeta"):
        return "put the condition into compound.filter"
    return None


def _in_lookup(stage: Stage, pipeline: Pipeline) -> Iterator[Finding]:
    if stage.name == "$vectorSearch":
        text = "$vectorSearch is not allowed within a $lookup's sub-pipeline"
        yield Finding(stage.path, text, "in-lookup", codes=VECTOR_IN_LOOKUP, needs=(9, 0))
    elif stage.name in FUSION_STAGES and {"localField", "foreignField"} & set(pipeline.host):
        text = f"{stage.name} cannot be used in a $lookup with localField and foreignField"
        yield Finding(stage.path, text, "in-lookup", codes=FUSION_IN_LOCAL_LOOKUP, needs=(9, 0))
