"""One HTML file: no script, no network, readable by a person who was not there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from atlas_rag.tuning.collect.candidates import TradeOff
from atlas_rag.tuning.diagnosis import Threshold
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report import tables
from atlas_rag.tuning.report.charts import (
    learning_chart,
    ternary_chart,
    tradeoff_chart,
    weight_curve,
    win_loss_chart,
)
from atlas_rag.tuning.report.style import STYLE
from atlas_rag.tuning.statistics import Comparison, queries_needed

NOTABLE = 0.01
"""A difference of a mean that people care about."""


@dataclass(frozen=True)
class Context:
    """What a report says beside the tuning itself.

    Args:
        title: such as the experiment's name.
        texts: query id → text.
        thresholds: calibrated scores by name.
        tradeoffs: recall against latency, where it was measured.
        sweep: rows of the outer sweep (depth, rank constant, …) with a header row first.
        facts: what the collection depended on, shown at the end.
    """

    title: str = "Fusion weights"
    texts: Mapping[str, str] = field(default_factory=dict)
    thresholds: Mapping[str, Threshold] = field(default_factory=dict)
    tradeoffs: Sequence[TradeOff] = ()
    sweep: Sequence[Sequence[str]] = ()
    facts: Mapping[str, Any] = field(default_factory=dict)


def html_report(tuning: Tuning, context: Context) -> str:
    """The whole page."""
    sections = [
        _summary(tuning, context),
        _section("Choices", _choices(tuning)),
        *_surface(tuning),
        _section("Queries", _queries(tuning, context)),
        *_learning(tuning),
        *_optional(context),
        _section("How this was made", _method(tuning, context)),
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(context.title)}</title><style>{STYLE}</style>"
    )
    body = f"<main>{''.join(sections)}</main>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _section(title: str, content: str) -> str:
    return f"<section><h2>{escape(title)}</h2>{content}</section>"


def _figure(drawing: str, caption: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _summary(tuning: Tuning, context: Context) -> str:
    weights = " · ".join(f"{escape(name)} <b>{weight:.6g}</b>" for name, weight in tuning.weights.items())
    cautions = "".join(f"<li>{escape(line)}</li>" for line in tuning.warnings)
    held = len(tuning.held.queries) if tuning.held else 0
    return (
        f"<header><h1>{escape(context.title)}</h1>"
        f"<p class=verdict>{escape(tuning.verdict.sentence)}</p>"
        f"<p class=weights>Recommended weights: {weights}{_same(tuning)}</p>"
        f"<p>{escape(tuning.measure)} over {len(tuning.problem.queries)} tuning queries, {held} held out. "
        f"{_power(tuning)}</p>" + (f"<ul class=cautions>{cautions}</ul>" if cautions else "") + "</header>"
    )


def _power(tuning: Tuning) -> str:
    verdict = tuning.verdict
    if verdict.deviation == 0:
        return "No query changes between equal weights and the best."
    wanted = queries_needed(verdict.deviation, NOTABLE)
    return (
        f"So many queries can show a difference of {verdict.detectable:.4f} (80 % power); "
        f"to show {NOTABLE:g} takes {wanted}."
    )


def _same(tuning: Tuning) -> str:
    """How far the first weight can move without any query noticing."""
    if tuning.plateau is None or tuning.verdict.rule == "equal":  # equal weights often lie on a tie
        return ""
    first = escape(tuning.problem.pipelines[0])
    return f" ({first} from {tuning.plateau.low:.6g} to {tuning.plateau.high:.6g} gives the same values)"


def _choices(tuning: Tuning) -> str:
    words = (
        "<p>Only the cross-validated and held-out columns are fair: the others were seen while choosing.</p>"
    )
    test = ""
    if tuning.holdout_test:
        test = f"<p>On the held-out queries {_compared(tuning.holdout_test)}</p>"
    return words + tables.choices(tuning) + test


def _compared(result: Comparison) -> str:
    if result.wins == result.losses == 0:
        return "the recommended weights rank every query as equal weights do."
    low, high = result.interval
    return (
        f"the recommended weights change the mean by {result.difference:+.4f} against equal weights "
        f"(95 % interval {low:+.4f} to {high:+.4f}; t test p = {result.p_student:.2g}, "
        f"permutation p = {result.p_permutation:.2g}): "
        f"{result.wins} win, {result.losses} lose, {result.ties} tie."
    )


def _surface(tuning: Tuning) -> list[str]:
    if len(tuning.problem.pipelines) == 2:
        caption = "Weights whose band includes the dashed line cannot be told from equal weights."
        return [_section("The weight", _figure(weight_curve(tuning), caption))]
    if len(tuning.problem.pipelines) == 3:
        caption = "Each corner is one input pipeline alone. A large orange region means that many weights do."
        return [_section("The weights", _figure(ternary_chart(tuning), caption))]
    return []


def _queries(tuning: Tuning, context: Context) -> str:
    lost = [entry for entry in tuning.unreachable if entry.reason == "not found"]
    beaten = len(tuning.unreachable) - len(lost)
    parts = [
        f"<p>{len(lost)} relevant documents were found by no input pipeline (collect deeper, or change the "
        f"analyzer, the model or the chunks), and {beaten} are outranked at any weights. They are in "
        "unreachable.csv.</p>"
    ]
    if any(outcome.difference for outcome in tuning.outcomes):
        chart = win_loss_chart(tuning.outcomes, tuning.measure)
        parts.append(_figure(chart, "All judged queries, equal weights against the recommended ones."))
        parts.append(tables.extremes(tuning.outcomes, context.texts))
    else:
        parts.append("<p>The recommended weights are equal weights: no query changes.</p>")
    return "".join(parts)


def _learning(tuning: Tuning) -> list[str]:
    if len(tuning.learning) < 2:
        return []
    caption = (
        "Tuned on fewer queries, scored on the held-out ones: with a flat end, judging more helps little."
    )
    return [
        _section(
            "Would more judgments help?", _figure(learning_chart(tuning.learning, tuning.measure), caption)
        )
    ]


def _optional(context: Context) -> list[str]:
    parts = []
    if context.sweep:
        head, *rows = context.sweep
        parts.append(_section("Other settings", tables.table(head, rows, numbers=len(head) - 1)))
    if context.tradeoffs:
        caption = "Approximate search against exact search of the same input pipeline."
        parts.append(_section("Recall and latency", _figure(tradeoff_chart(context.tradeoffs), caption)))
    if context.thresholds:
        parts.append(_section("Score thresholds", tables.thresholds(context.thresholds)))
    return parts


def _method(tuning: Tuning, context: Context) -> str:
    settings, best = tuning.settings, tuning.optimum
    nested = tuning.nested
    divided = f"{nested.repeats} × {nested.folds}-fold, nested" if nested else "none (too few queries)"
    proof = f", proved to within {best.certificate.gap:.1g}" if best.certificate else ""
    facts = escape(json.dumps(context.facts, indent=2, ensure_ascii=False, default=str))
    fusion = escape(type(tuning.problem.fusion).__name__)
    return (
        f"<p>Every input pipeline was asked once; all weightings were re-fused offline ({fusion}) as the "
        f"server does it. Optimum on the tuning queries: {best.value:.6f}, by {escape(best.method)}{proof}. "
        f"Cross-validation: {divided}. Seed {settings.seed}. Unjudged documents count as irrelevant.</p>"
        f"<details><summary>What the collection depended on</summary><pre>{facts}</pre></details>"
    )
