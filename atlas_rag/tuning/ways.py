"""The ways to fuse that a tuning chooses from: fusions × variants, what is in use now first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from atlas_rag.errors import ExperimentError
from atlas_rag.tuning.data.judgments import Judgments
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import Runs
from atlas_rag.tuning.measures import Measure, parse
from atlas_rag.tuning.problem.fusion import Fusion
from atlas_rag.tuning.problem.named import FUSIONS, fusion_named
from atlas_rag.tuning.problem.problem import FusionProblem
from atlas_rag.tuning.settings import Settings


@dataclass(frozen=True, slots=True)
class Ways:
    """Name → (runs, fusion). Names are those of fusions; of a variant, "fusion, variant"."""

    measure: Measure
    by_name: Mapping[str, tuple[Runs, Fusion]]

    @classmethod
    def of(cls, runs: Runs, settings: Settings) -> Ways:
        """Every fusion over every variant.

        Raises:
            ExperimentError: an unknown fusion, or a variant of unknown input pipelines (7602).
        """
        measure = parse(settings.measure) if isinstance(settings.measure, str) else settings.measure
        fusions = {_name_of(settings.fusion): settings.fusion}
        fusions |= {name: fusion_named(name) for name in settings.fusions}
        replaced = [name for variant in settings.variants.values() for name in variant.values()]
        own = [name for name in runs.pipelines if name not in replaced]
        versions = {"": runs.only(own)}
        for label, variant in settings.variants.items():
            if unknown := sorted(set(variant) - set(own)):
                raise ExperimentError(
                    f"the variant {label!r} replaces {unknown[0]!r}, which is no input pipeline",
                    expected=f"some of {own}",
                )
            versions[label] = runs.with_runs_of(variant).only(own)
        return cls(
            measure,
            {
                f"{name}, {label}" if label else name: (version, fusion)
                for label, version in versions.items()
                for name, fusion in fusions.items()
            },
        )

    @property
    def first(self) -> str:
        """The name of what is in use now."""
        return next(iter(self.by_name))

    def problems(self, judgments: Judgments, queries: Iterable[ExperimentQuery]) -> dict[str, FusionProblem]:
        """A problem for each way, over some queries."""
        names = [query.id for query in queries]
        return {
            way: FusionProblem(runs.for_queries(names), judgments, self.measure, fusion)
            for way, (runs, fusion) in self.by_name.items()
        }


def _name_of(fusion: Fusion) -> str:
    return next((name for name, known in FUSIONS.items() if known == fusion), type(fusion).__name__)
