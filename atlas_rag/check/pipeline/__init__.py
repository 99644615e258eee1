"""Rules that need the neighbours of a stage: each file one matter, each violation with its codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from atlas_rag.check.pipeline.bodies import bodies
from atlas_rag.check.pipeline.fusion import fusions
from atlas_rag.check.pipeline.metadata import metadata
from atlas_rag.check.pipeline.positions import positions
from atlas_rag.check.pipeline.releases import needs
from atlas_rag.check.pipeline.scoring import scorings
from atlas_rag.check.pipeline.walk import Pipeline, everything
from atlas_rag.check.report import Codes, Finding
from atlas_rag.grammar.releases import Release

TOO_OLD = Codes.same(40324)

RULES: tuple[Callable[[Pipeline], Iterator[Finding]], ...] = (
    positions,
    bodies,
    fusions,
    scorings,
    metadata,
)
"""Looked at one after the other, for the pipeline and for every pipeline inside it."""


def pipeline_findings(pipeline: Pipeline, release: Release | None) -> Iterator[Finding]:
    """Everything that is wrong with a pipeline, and what a release is too old for."""
    for one in everything(pipeline):
        for rule in RULES:
            yield from rule(one)
        for path, feature, needed in needs(one):
            if release is not None and release < needed:
                text = f"{feature} needs MongoDB {needed[0]}.{needed[1]}"
                yield Finding(path, text, "release", codes=TOO_OLD, needs=needed)


def needed_release(pipeline: Pipeline) -> Release | None:
    """The oldest release that knows everything in a pipeline."""
    return max((needed for one in everything(pipeline) for *_, needed in needs(one)), default=None)
