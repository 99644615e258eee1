"""The measure against the weight of the first of two input pipelines."""

from __future__ import annotations

import numpy as np

from atlas_rag.fusion import gate_ratio
from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.problem.fusion import ReciprocalRankFusion
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.svg import (
    BLUE,
    FAINT,
    INK,
    ORANGE,
    TEAL,
    Frame,
    legend,
    points,
    short,
    svg,
    tag,
)
from atlas_rag.tuning.statistics import bootstrap_counts

RESAMPLES = 1000


def weight_curve(tuning: Tuning) -> str:
    """Mean of the measure over the weight, with the 90 % band of the difference from equal weights.

    The band is of each weight by itself: it does not allow for choosing the best of them. The strip at the
    bottom is where 90 % of resampled optima lie; dotted lines are the gate of ten places.
    """
    surface = tuning.surface
    shares, means = surface.weights[:, 0], surface.values.mean(axis=0)
    order = np.argsort(shares)
    low, high = _band(surface.values - surface.values[:, [surface.equal]], tuning.settings.seed)
    level = float(means[surface.equal])
    low, high = level + low, level + high
    room = (high.max() - low.min()) * 0.08
    frame = Frame((0.0, 1.0), (float(low.min() - 2 * room), float(high.max() + room)))
    first, second = tuning.problem.pipelines
    edge = [frame.at(shares[place], high[place]) for place in order]
    edge += [frame.at(shares[place], low[place]) for place in order[::-1]]
    entries = _entries(tuning, level)
    parts = [
        tag("polygon", points=points(edge), fill=BLUE, fill_opacity=0.13),
        *frame.axes(f"share of {first} in the weights (the rest is {second})", tuning.measure),
        *_gates(frame, tuning),
        frame.level(level, INK, stroke_dasharray="6 4"),
        _strip(frame, tuning),
        frame.line([(shares[place], means[place]) for place in order], BLUE),
        *_marks(frame, tuning),
        legend(frame.left, frame.height + 14, entries),
    ]
    return svg(
        frame.width,
        frame.height + 18 * (len(entries) + 1),
        parts,
        f"{tuning.measure} against the weight of {first}",
    )


def _band(differences: Floats, seed: int) -> tuple[Floats, Floats]:
    counts = bootstrap_counts(len(differences), RESAMPLES, np.random.default_rng(seed))
    means = counts.astype(np.float64) @ differences / len(differences)
    low, high = np.quantile(means, [0.05, 0.95], axis=0)
    return low, high


def _strip(frame: Frame, tuning: Tuning) -> str:
    low, high = tuning.verdict.ranges[tuning.problem.pipelines[0]]
    left, right = frame.across(low), frame.across(high)
    y = frame.height - frame.bottom - 6
    return tag(
        "rect", x=short(left), y=y, width=short(max(right - left, 2)), height=6, fill=TEAL, fill_opacity=0.7
    )


def _marks(frame: Frame, tuning: Tuning) -> list[str]:
    """The exact optimum of the tuning queries, and the recommended weight; the legend has their numbers."""
    best, value = float(tuning.optimum.weights[0]), tuning.optimum.value
    chosen = _recommended(tuning)
    reached = float(tuning.problem.mean([chosen, 1 - chosen])[0])
    x, y = frame.at(best, value)
    u, v = frame.at(chosen, reached)
    return [
        tag("circle", cx=short(u), cy=short(v), r=6, fill=INK),
        tag("circle", cx=short(x), cy=short(y), r=4, fill="white", stroke=ORANGE, stroke_width=2),
    ]


def _recommended(tuning: Tuning) -> float:
    return tuning.weights[tuning.problem.pipelines[0]]


def _gates(frame: Frame, tuning: Tuning) -> list[str]:
    """Where a weight shuts the other's own documents out, which only `$rankFusion` has."""
    if not isinstance(tuning.problem.fusion, ReciprocalRankFusion):
        return []
    ratio = gate_ratio(10)
    places = (1 / (1 + ratio), ratio / (1 + ratio))
    return [frame.upright(place, FAINT, stroke_dasharray="2 4") for place in places]


def _entries(tuning: Tuning, level: float) -> list[tuple[str, str, str]]:
    best = float(tuning.optimum.weights[0])
    entries = [
        (BLUE, "", "mean over the tuning queries, 90 % band of the difference"),
        (INK, "6 4", f"equal weights: {level:.4f}"),
        (INK, "1 40", f"black dot: recommended, {_recommended(tuning):.4g}"),
        (ORANGE, "1 40", f"orange ring: optimum of the tuning queries, {best:.4g}"),
        (TEAL, "", "where 90 % of resampled optima lie (how unsure the optimum is)"),
    ]
    gate = (FAINT, "2 4", "gate: beyond it the other's own documents miss the first ten")
    return [*entries, gate] if isinstance(tuning.problem.fusion, ReciprocalRankFusion) else entries
