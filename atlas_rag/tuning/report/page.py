"""One HTML file: no script, no network; one page on top for a meeting, the reasons behind clicks."""

from __future__ import annotations

import json
from html import escape

from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report import tables
from atlas_rag.tuning.report.charts import (
    learning_chart,
    ternary_chart,
    tradeoff_chart,
    weight_curve,
    win_loss_chart,
)
from atlas_rag.tuning.report.context import Context
from atlas_rag.tuning.report.style import STYLE
from atlas_rag.tuning.report.summary import summary
from atlas_rag.tuning.statistics.power import power_table


def html_report(tuning: Tuning, context: Context) -> str:
    """The whole page."""
    sections = [
        summary(tuning, context),
        _section("Every choice", _choices(tuning), "equal weights, single pipelines, rules, best guess"),
        *_surface(tuning),
        _section("Queries that win and lose", _queries(tuning, context)),
        *_classes(tuning),
        *_optional(context, tuning),
        *_learning(tuning),
        _section("How many judgments a gain needs", _power(tuning)),
        _section("How this was made", _method(tuning, context)),
    ]
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(context.title)}</title><style>{STYLE}</style>"
    )
    body = f"<main>{''.join(sections)}</main>"
    return f'<!doctype html><html lang="en"><head>{head}</head><body>{body}</body></html>\n'


def _section(title: str, content: str, note: str = "") -> str:
    small = f"<small>{escape(note)}</small>" if note else ""
    return f"<details><summary>{escape(title)}{small}</summary>{content}</details>"


def _figure(drawing: str, caption: str) -> str:
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def _choices(tuning: Tuning) -> str:
    held = (
        f"; “hold-out” is over {len(tuning.held.queries)} queries kept out of tuning" if tuning.held else ""
    )
    return (
        "<p>“Cross-validated” is each query’s value while it took no part in the choice"
        f"{held}. The column “tuning” was seen while choosing: fair only for fixed choices.</p>"
        + tables.choices(tuning)
    )


def _surface(tuning: Tuning) -> list[str]:
    if len(tuning.problem.pipelines) == 2:
        caption = "The band is pointwise: it shows spread, and does not allow for choosing the best weight."
        found = tuning.equivalent
        if found:
            caption += (
                f" From {found[0]:.2f} to {found[1]:.2f} every weight is shown to be as good as the "
                "recommended one to within .01 (equivalence test)."
            )
        return [_section("The weight", _figure(weight_curve(tuning), caption))]
    if len(tuning.problem.pipelines) == 3:
        caption = "Each corner is one input pipeline alone. A large orange region: the data leave it open."
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
        caption = "All judged queries, equal weights against what is recommended; per_query.csv has them all."
        parts += [_figure(chart, caption), tables.extremes(tuning, context)]
    else:
        parts.append("<p>The recommended weights are equal weights: no query changes.</p>")
    return "".join(parts)


def _classes(tuning: Tuning) -> list[str]:
    study = tuning.classes
    if study is None:
        return []
    verdict = "differ: a routing table is in weights.json" if study.differ else "are not shown to differ"
    words = (
        f"<p>Classes by {escape(study.rule)} {verdict} (test of equal weights for all classes: "
        f"p = {study.p:.2g}). Weights are shrunken towards those of all queries.</p>"
    )
    note = "they differ" if study.differ else "no evidence that they differ"
    return [_section("Weights by class of question", words + tables.classes(study), note)]


def _learning(tuning: Tuning) -> list[str]:
    if len(tuning.learning) < 2:
        return []
    caption = "Tuned on fewer queries, scored on the hold-out: with a flat end, judging more helps little."
    chart = learning_chart(tuning.learning, tuning.measure)
    return [_section("Would more judgments help?", _figure(chart, caption))]


def _optional(context: Context, tuning: Tuning) -> list[str]:
    parts = []
    if context.sweep:
        head, *rows = context.sweep
        words = (
            "<p>Over all judged queries, hold-out included, each setting with its own best weights: seen, "
            "so no promise.</p>"
        )
        parts.append(_section("Other settings", words + tables.table(head, rows, numbers=len(head) - 1)))
    if context.tradeoffs:
        caption = f"Approximate search against exact search of the same input pipeline. {context.exercised}"
        parts.append(_section("Recall and latency", _figure(tradeoff_chart(context.tradeoffs), caption)))
    if context.thresholds:
        parts.append(_section("Score thresholds", tables.thresholds(context.thresholds)))
    if context.judging:
        content = tables.judged(tuning) + tables.judging(context)
        parts.append(_section("What to judge next", content, "also in to_judge.csv"))
    return parts


def _power(tuning: Tuning) -> str:
    rows = [[f"{wanted:g}", str(count)] for wanted, count in power_table(tuning.verdict.deviation)]
    if not rows:
        return "<p>No query changes between equal weights and the best guess.</p>"
    return (
        f"<p>On data like this, with 80 % power; {tuning.verdict.queries} tuning queries can show "
        f"{tuning.verdict.detectable:.4f}.</p>"
        + tables.table([f"gain of {tuning.measure}", "judged queries"], rows, 2)
    )


def _method(tuning: Tuning, context: Context) -> str:
    settings, best = tuning.settings, tuning.optimum
    nested = tuning.nested
    divided = f"{nested.repeats} × {nested.folds}-fold, nested" if nested else "none (too few queries)"
    proof = f", proved to within {best.certificate.gap:.1g}" if best.certificate else ""
    facts = escape(json.dumps(context.facts, indent=2, ensure_ascii=False, default=str))
    ways = ", ".join(map(escape, tuning.alternatives.names))
    return (
        f"<p>Every input pipeline was asked once; all weightings were re-fused offline ({ways}) with the "
        "arithmetic of the server. The choice among rules, fusions and single pipelines was made again "
        "inside every training fold; gains and intervals come from the other queries. Optimum on the tuning "
        f"queries: {best.value:.6f}, by {escape(best.method)}{proof}. "
        f"Cross-validation: {divided}. Seed {settings.seed}. Unjudged documents count as irrelevant.</p>"
        f"<p>What the collection depended on:</p><pre>{facts}</pre>"
    )
