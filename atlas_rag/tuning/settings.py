"""How to tune."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from atlas_rag.tuning.measures import Measure
from atlas_rag.tuning.problem.fusion import Fusion, ReciprocalRankFusion
from atlas_rag.tuning.selection import RULES


@dataclass(frozen=True)
class Settings:
    """How to tune.

    Args:
        measure: what is maximised.
        also: measures that are only shown.
        fusion: what is in use now, `$rankFusion` unless given.
        fusions: further fusions to choose from, by name (see `problem.named.FUSIONS`).
        variants: further versions of input pipelines to choose from (another analyzer, another model): name
            → input pipeline → name of the run that takes its place.
        current: weights in use now, by input pipeline; None for equal ones. The best guess is tested
            against them too.
        classes: how classes of questions are told: "group", "shape" or "script"; "" for the groups that the
            queries bring, or their shape where they bring none.
        holdout: share of the queries kept out of tuning, 0 (none) up to 1, exclusive. Where fewer than 20
            would be left to tune on, none are kept out.
        folds, repeats: of the nested cross-validation on the tuning queries.
        rules: names of rules to choose from.
        seconds: time limit of a certificate for three input pipelines.
        draws: subsets of each size for the learning curve; 0 for none.
        seed: of every random choice.
    """

    measure: str | Measure = "nDCG@10"
    also: Sequence[str] = ("R@100", "RR@10")
    fusion: Fusion = field(default_factory=ReciprocalRankFusion)
    fusions: Sequence[str] = ()
    variants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    current: Mapping[str, float] | None = None
    classes: str = ""
    holdout: float = 0.3
    folds: int = 10
    repeats: int = 5
    rules: Sequence[str] = tuple(RULES)
    seconds: float = 30.0
    draws: int = 50
    seed: int = 0
