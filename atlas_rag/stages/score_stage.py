"""`$score`: computes a score for every document of a pipeline."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.score_fusion import NORMALIZATIONS
from atlas_rag.stages.spelling import spelled_class
from atlas_rag.stages.stage import WireStage


@spelled_class
class ScoreStage(WireStage):
    """Sets `{$meta: "score"}` to an expression; may follow any stage, the last one wins.

    Formula: weight · normalized(expression); unlike `$scoreFusion` the weight comes after the normalization.

    Args:
        score: an aggregation expression that gives a number; may read an earlier `{$meta: "score"}`.
        normalization: `none` (default), `sigmoid`, or `minMaxScaler` over the documents of the pipeline.
        weight: 0…1; default 1.
        score_details: bring `{$meta: "scoreDetails"}`.

    Needs: server 8.2. Source: MongoDB documentation, $score.
    """

    label: ClassVar[str] = "$score"

    score: Annotated[Any, checks.anything]
    normalization: Annotated[str | None, checks.one_of(*NORMALIZATIONS)] = None
    weight: Annotated[float | None, checks.unit] = None
    score_details: Annotated[bool | None, checks.flag] = None
