"""What may be said about the weights, and what may not.

One inference: every test rests on the held-out values of the nested cross-validation, in which all choosing
was done again inside each training fold. Equal weights stay recommended unless a test against them is
passed; a single input pipeline is recommended where it beats equal weights and nothing is shown to beat it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.selection.alternatives import Alternatives
from atlas_rag.tuning.selection.guess import best_guess, best_single, candidates
from atlas_rag.tuning.selection.nested import BEST_SINGLE, GUESS, Nested
from atlas_rag.tuning.selection.rules import RULES, resampled_optima
from atlas_rag.tuning.statistics.power import detectable_difference
from atlas_rag.tuning.statistics.selected import Gain, gain

TOO_FEW = 20
FEW = 50
MARGIN = 0.01
"""A difference of a mean below which two rankings count as equally good, where it is shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A way to fuse and its weights.

    Args:
        alternative: name of the fusion (and variant).
        weights: of sum 1, in the order of the input pipelines.
        rule: what chose it: "equal", "single", or the name of a rule.
    """

    alternative: str
    weights: Floats
    rule: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """The recommended choice, the best guess, and the evidence.

    Args:
        recommended: equal weights under what is in use now, unless a test against them is passed.
        guess: what one would choose without regard to evidence, from all tuning queries.
        single: the best input pipeline alone.
        single_name: its name.
        gain: of what is recommended over equal weights, or of the guess where equal weights stay; None where
            there are too few queries.
        against_single: of the best guess over the best single pipeline; None as above.
        against_current: of the best guess over the weights in use now, where these were given.
        single_against_equal: of the best single pipeline over equal weights; None as above.
        sentence: the conclusion in words. hybrid: whether fusing helps at all, in words.
        queries: how many there were.
        deviation: of the held-out differences between the best guess and equal weights, by query.
        ranges: 5 % and 95 % quantile of the best weight over resamples, by input pipeline.
        enough: whether there are queries enough to name a winner (20).
    """

    recommended: Choice
    guess: Choice
    single: Choice
    single_name: str
    gain: Gain | None
    against_single: Gain | None
    against_current: Gain | None
    single_against_equal: Gain | None
    sentence: str
    hybrid: str
    queries: int
    deviation: float
    ranges: Mapping[str, tuple[float, float]]
    enough: bool

    @property
    def rule(self) -> str:
        """What chose the recommended weights."""
        return self.recommended.rule

    @property
    def weights(self) -> Floats:
        """The recommended weights, of sum 1."""
        return self.recommended.weights

    @property
    def against_equal(self) -> Gain | None:
        """The test that the recommended weights passed; None for equal weights."""
        return None if self.rule == "equal" else self.gain

    @property
    def single_suffices(self) -> bool:
        """Whether the best single pipeline is as good as or better than any fusion that could be found."""
        return self.against_single is not None and suffices(self.against_single)

    @property
    def detectable(self) -> float:
        """The gain over equal weights that so many queries show with 80 % power."""
        return detectable_difference(self.deviation, self.queries)


def decide(
    alternatives: Alternatives,
    nested: Nested | None,
    *,
    rules: Sequence[str] = tuple(RULES),
    current: Floats | None = None,
    seed: int = 0,
) -> Verdict:
    """Judges the best guess by the nested cross-validation.

    Args:
        nested: of the same alternatives; None where there were too few queries to divide.
        rules: those to choose from.
        current: value of each query with the weights in use now; None where these are equal weights.
        seed: of resamples.
    """
    queries = len(alternatives.values)
    draw = np.random.default_rng(seed)
    everyone = np.arange(queries)
    column, (_, rule) = best_guess(alternatives, everyone, candidates(alternatives, list(rules)), draw)
    alone = best_single(alternatives, everyone)
    equal = _choice(alternatives, alternatives.equal, "equal")
    guess, single = _choice(alternatives, column, rule), _choice(alternatives, alone, "single")
    enough = queries >= TOO_FEW and nested is not None
    tests = _Tests.of(nested, current) if enough and nested is not None else None
    recommended, shown = _recommended(tests, equal, guess, single)
    first = alternatives.surfaces[recommended.alternative]
    quantiles = np.quantile(resampled_optima(first, first.values, draw), [0.05, 0.95], axis=0)
    name = alternatives.singles[alone]
    return Verdict(
        recommended=recommended,
        guess=guess,
        single=single,
        single_name=name,
        gain=shown,
        against_single=tests.guess_single if tests else None,
        against_current=tests.guess_current if tests else None,
        single_against_equal=tests.single_equal if tests else None,
        sentence=_sentence(queries, recommended, guess, name, shown),
        hybrid=_hybrid(len(first.problem.pipelines), name, tests),
        queries=queries,
        deviation=tests.deviation if tests else 0.0,
        ranges={
            pipeline: (float(quantiles[0, place]), float(quantiles[1, place]))
            for place, pipeline in enumerate(first.problem.pipelines)
        },
        enough=enough,
    )


@dataclass(frozen=True, slots=True)
class _Tests:
    """The tests of one nested cross-validation."""

    guess_equal: Gain
    single_equal: Gain
    guess_single: Gain
    guess_current: Gain | None
    deviation: float

    @classmethod
    def of(cls, nested: Nested, current: Floats | None) -> _Tests:
        values = nested.values

        def against(procedure: str, other: str, name: str) -> Gain:
            return gain(name, values[procedure] - values[other], nested.instability(procedure, other))

        versus = None
        if current is not None:
            versus = gain("current weights", values[GUESS] - current, nested.instability(GUESS, current))
        return cls(
            against(GUESS, "equal", "equal weights"),
            against(BEST_SINGLE, "equal", "equal weights"),
            against(GUESS, BEST_SINGLE, "the best single pipeline"),
            versus,
            float((values[GUESS] - values["equal"]).std(ddof=1)),
        )


def suffices(against_single: Gain) -> bool:
    """Whether fusing is no better than the single pipeline: not in the mean, or by less than `MARGIN`.

    The second is a test of non-inferiority: the 95 % upper bound lies below the margin.
    """
    upper = against_single.plain + 1.645 * against_single.error
    return not against_single.shown and (against_single.plain <= 0 or upper < MARGIN)


def _recommended(
    tests: _Tests | None, equal: Choice, guess: Choice, single: Choice
) -> tuple[Choice, Gain | None]:
    """What is recommended, and the gain that is told with it."""
    if tests is None:
        return equal, None
    if tests.single_equal.shown and not tests.guess_single.shown:
        return single, tests.single_equal
    if tests.guess_equal.shown:
        return guess, tests.guess_equal
    return equal, tests.guess_equal


def _choice(alternatives: Alternatives, column: int, rule: str) -> Choice:
    return Choice(alternatives.alternative(column), alternatives.weights(column), rule)


def _sentence(queries: int, chosen: Choice, guess: Choice, single: str, found: Gain | None) -> str:
    if found is None:
        return (
            f"Too few judged queries to name a winner ({queries}, at least {TOO_FEW} are needed): keep equal "
            "weights and judge more."
        )
    few = f" With only {queries} judged queries (fewer than {FEW}) this can change." if queries < FEW else ""
    low, high = found.interval
    told = f"{found.estimate:+.4f} (95 % interval {low:+.4f} to {high:+.4f}, one-sided p = {found.p:.2g})"
    if chosen.rule == "equal":
        return (
            "No evidence to leave equal weights: on queries that took no part in the choice the best guess "
            f"changes the mean by {told}.{few}"
        )
    what = f"{single} alone" if chosen.rule == "single" else f"the recommended weights ({chosen.alternative})"
    return (
        f"Evidence to leave equal weights: {what} gain {told} on queries that took no part in the "
        f"choice.{few}"
    ).replace("alone gain", "alone gains")


def _hybrid(pipelines: int, single: str, tests: _Tests | None) -> str:
    """Whether fusing helps at all."""
    if tests is None or pipelines < 2:
        return ""
    found = tests.guess_single
    low, high = found.interval
    told = f"{found.plain:+.4f}, 95 % interval {low:+.4f} to {high:+.4f}"
    if found.shown:
        return f"Fusing helps: the best guess beats {single} alone by {found.estimate:+.4f} ({told})."
    if suffices(found) or tests.single_equal.shown:
        return (
            f"Hybrid does not help here: {single} alone is as good or better. The best fusion that could be "
            f"found differs by {told} on queries that took no part in the choice; one input pipeline is "
            "faster and simpler."
        )
    return f"Whether fusing helps is open: the best guess against {single} alone: {told}."
