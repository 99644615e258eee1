"""What may be said about the weights, and what may not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.cross_validation import CrossValidation
from atlas_rag.tuning.selection.rules import RULES, resampled_optima
from atlas_rag.tuning.selection.surface import Surface
from atlas_rag.tuning.statistics.max_t import best_of_many
from atlas_rag.tuning.statistics.paired import Comparison, compare
from atlas_rag.tuning.statistics.power import detectable_difference

TOO_FEW = 20
FEW = 50


@dataclass(frozen=True, slots=True)
class Verdict:
    """The recommended weights and the evidence for them.

    Args:
        rule: the rule with the best held-out mean, a simpler one if that is within a paired standard error.
        weights: what the rule chooses from all tuning queries, of sum 1; equal weights without evidence.
        sentence: the conclusion in words.
        against_equal: held-out values of the rule against those of equal weights; None for equal weights.
        p_best: max-T p-value of the best of all weightings against equal weights.
        queries: how many there were.
        deviation: of the per-query differences between the best weighting and equal weights.
        ranges: 5 % and 95 % quantile of the best weight over resamples, by input pipeline.
        enough: whether there are queries enough to name a winner (20).
    """

    rule: str
    weights: Floats
    sentence: str
    against_equal: Comparison | None
    p_best: float
    queries: int
    deviation: float
    ranges: Mapping[str, tuple[float, float]]
    enough: bool

    @property
    def detectable(self) -> float:
        """The difference from equal weights that so many queries show with 80 % power."""
        return detectable_difference(self.deviation, self.queries)


def decide(
    surface: Surface, validation: CrossValidation | None, *, rules: Sequence[str] = (), seed: int = 0
) -> Verdict:
    """Judges the rules by their held-out values.

    Args:
        validation: of the same surface; None where there were too few queries to divide.
        rules: those to choose from; all by default.
        seed: of resamples and tests.
    """
    draw = np.random.default_rng(seed)
    values, equal = surface.values, surface.values[:, surface.equal]
    best, p_best = best_of_many(values, equal, seed=seed)
    deviation = float((values[:, best] - equal).std(ddof=1)) if len(values) > 1 else 0.0
    enough = len(values) >= TOO_FEW and validation is not None
    rule = _preferred(validation, rules or tuple(RULES)) if enough and validation else "equal"
    versus = None
    if validation and rule != "equal":
        versus = compare(validation.values["equal"], validation.values[rule], seed=seed)
    quantiles = np.quantile(resampled_optima(surface, values, draw), [0.05, 0.95], axis=0)
    return Verdict(
        rule=rule,
        weights=RULES[rule](surface, values, np.random.default_rng(seed)),
        sentence=_sentence(len(values), enough, rule, versus, p_best),
        against_equal=versus,
        p_best=p_best,
        queries=len(values),
        deviation=deviation,
        ranges={
            name: (float(quantiles[0, place]), float(quantiles[1, place]))
            for place, name in enumerate(surface.problem.pipelines)
        },
        enough=enough,
    )


def _preferred(validation: CrossValidation, names: Sequence[str]) -> str:
    """The rule with the best held-out mean, or the most cautious one within a paired standard error of it."""
    ordered = [name for name in RULES if name in names]
    best = max(ordered, key=validation.mean)
    for name in ordered:
        if validation.mean(best) - validation.mean(name) <= validation.error(best, name):
            return name
    return best


def _sentence(queries: int, enough: bool, rule: str, versus: Comparison | None, p_best: float) -> str:
    if not enough:
        return (
            f"Too few judged queries to name a winner ({queries}, at least {TOO_FEW} are needed): keep equal "
            "weights and judge more."
        )
    few = f" With only {queries} judged queries (fewer than {FEW}) this can change." if queries < FEW else ""
    if versus is None:
        return (
            "No evidence to leave equal weights: no rule does better on held-out queries by more than a "
            f"standard error. The best of all weightings has p = {p_best:.2g}, the choice allowed for.{few}"
        )
    low, high = versus.interval
    strength = "Evidence" if versus.significant else "Only weak evidence, which chance could explain,"
    return (
        f"{strength} to leave equal weights: rule {rule} gains {versus.difference:+.4f} on held-out queries "
        f"(95 % interval {low:+.4f} to {high:+.4f}, p = {versus.p_student:.2g}).{few}"
    )
