"""The measure over the weights of three input pipelines."""

from __future__ import annotations

import math

import numpy as np

from atlas_rag.tuning.data.runs import Floats
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.svg import INK, ORANGE, points, short, svg, tag, text
from atlas_rag.tuning.statistics import standard_error

WIDTH, HEIGHT, SIDE = 760, 480, 440
LEFT, BASE = 50, 430
STEPS = 20
LOW, HIGH = (239, 246, 255), (30, 64, 175)


def ternary_chart(tuning: Tuning) -> str:
    """A triangle whose corners are single pipelines: darker is better.

    Cells outlined in orange are within one paired standard error of the best.
    """
    surface = tuning.surface
    means = surface.values.mean(axis=0)
    best = int(means.argmax())
    differences = surface.values[:, [best]] - surface.values
    near = differences.mean(axis=0) <= standard_error(differences)
    low, high = float(np.quantile(means, 0.05)), float(means.max())
    parts = [
        _cell(weights, (value - low) / ((high - low) or 1.0), bool(close))
        for weights, value, close in zip(surface.weights, means, near, strict=True)
        if (np.abs(weights * STEPS - np.round(weights * STEPS)) < 1e-9).all()
    ]
    names = tuning.problem.pipelines
    corners = [_place(corner) for corner in np.eye(3)]
    parts += [
        text(corners[0][0], corners[0][1] + 36, names[0], anchor="middle", font_weight=600),
        text(corners[1][0], corners[1][1] + 36, names[1], anchor="middle", font_weight=600),
        text(corners[2][0], corners[2][1] - 22, names[2], anchor="middle", font_weight=600),
        *_mark(np.full(3, 1 / 3), "equal", "white"),
        *_mark(tuning.optimum.weights, "optimum", ORANGE),
        *_mark(np.array(list(tuning.weights.values())), "recommended", INK),
        *_key(low, high, tuning.measure),
    ]
    return svg(WIDTH, HEIGHT, parts, f"{tuning.measure} over the weights of {', '.join(names)}")


def _place(weights: Floats) -> tuple[float, float]:
    first, second, third = (float(weight) for weight in weights)
    x = LEFT + SIDE * (second + third / 2) / (first + second + third)
    return x, BASE - SIDE * math.sqrt(3) / 2 * third / (first + second + third)


def _cell(weights: Floats, value: float, near: bool) -> str:
    """A hexagon around a grid point; neighbours touch."""
    x, y = _place(weights)
    radius = SIDE / STEPS / math.sqrt(3)
    angles = [math.radians(30 + 60 * corner) for corner in range(6)]
    outline = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in angles]
    edge = {"stroke": ORANGE, "stroke_width": 1.2} if near else {"stroke": "white", "stroke_width": 0.4}
    return tag("polygon", points=points(outline), fill=_colour(value), **edge)


def _colour(value: float) -> str:
    share = min(max(value, 0.0), 1.0)
    red, green, blue = (round(low + (high - low) * share) for low, high in zip(LOW, HIGH, strict=True))
    return f"rgb({red},{green},{blue})"


def _mark(weights: Floats, words: str, colour: str) -> list[str]:
    x, y = _place(weights)
    label = (560, {"equal": 300, "optimum": 340, "recommended": 380}[words])
    numbers = " · ".join(f"{weight:.3f}" for weight in weights)
    return [
        tag("circle", cx=short(x), cy=short(y), r=5, fill=colour, stroke=INK, stroke_width=1.5),
        tag("circle", cx=label[0] - 12, cy=label[1] - 4, r=5, fill=colour, stroke=INK, stroke_width=1.5),
        text(*label, words),
        text(label[0], label[1] + 16, numbers),
    ]


def _key(low: float, high: float, measure: str) -> list[str]:
    steps = [
        tag("rect", x=548, y=60 + 12 * row, width=18, height=12, fill=_colour(1 - row / 11))
        for row in range(12)
    ]
    return [
        *steps,
        text(572, 70, f"{high:.4f}"),
        text(572, 204, f"{low:.4f} and less"),
        text(548, 48, measure, font_weight=600),
        tag("rect", x=548, y=228, width=14, height=14, fill="none", stroke=ORANGE, stroke_width=1.5),
        text(572, 240, "within one standard"),
        text(572, 256, "error of the best"),
    ]
