"""The page on top: what to do, what it gains and costs, who loses, what changed since the last run."""

from __future__ import annotations

import json
from html import escape

from atlas_rag.tuning.collect.keys import differences
from atlas_rag.tuning.diagnosis import QueryOutcome
from atlas_rag.tuning.problem.named import fusion_document
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.context import Context

LOSERS = 5


def summary(tuning: Tuning, context: Context) -> str:
    """The header of the page."""
    cautions = "".join(f"<li>{escape(line)}</li>" for line in tuning.warnings)
    return (
        f"<header><h1>{escape(context.title)}</h1>"
        f"<p class=verdict>{escape(_action(tuning))}</p>"
        f"<p>{escape(tuning.verdict.sentence)} {escape(tuning.verdict.hybrid)}</p>"
        f"<div class=cards>{_gain(tuning)}{_holdout(tuning, context)}{_cost(tuning, context)}</div>"
        + _losers(tuning, context)
        + _since(tuning, context)
        + _stage(tuning)
        + (f"<ul class=cautions>{cautions}</ul>" if cautions else "")
        + "</header>"
    )


def _action(tuning: Tuning) -> str:
    """What to do, in a line."""
    verdict = tuning.verdict
    if verdict.rule == "single":
        return f"Use {verdict.single_name} alone."
    if verdict.rule == "equal":
        return "Keep equal weights." if verdict.enough else "Keep equal weights, and judge more queries."
    weights = ", ".join(f"{name} {weight:.4g}" for name, weight in tuning.weights.items())
    now = tuning.alternatives.names[0]
    how = "" if verdict.recommended.alternative == now else f" with {verdict.recommended.alternative}"
    return f"Use the weights {weights}{how}."


def _card(kind: str, value: str, words: str) -> str:
    return f"<div class=card><em>{escape(kind)}</em><b>{escape(value)}</b><span>{escape(words)}</span></div>"


def _gain(tuning: Tuning) -> str:
    found = tuning.verdict.gain
    if found is None:
        return _card("gain", "unknown", f"{tuning.verdict.queries} judged queries are too few")
    low, high = found.interval
    whose = "of the best guess (not recommended)" if tuning.verdict.rule == "equal" else "over equal weights"
    return _card(
        f"gain of {tuning.measure}, cross-validated",
        f"{found.estimate:+.4f}",
        f"{whose}; 95 % interval {low:+.4f} to {high:+.4f}; {found.queries} queries",
    )


def _holdout(tuning: Tuning, context: Context) -> str:
    test = tuning.holdout_test
    if test is None:
        return _card("hold-out", "none", "every judged query took part in tuning")
    looks = f"; looked at {context.looks} times" if context.looks > 1 else ""
    if test.wins == test.losses == 0:
        return _card("hold-out", "no change", f"over {test.queries} queries kept out of tuning{looks}")
    low, high = test.interval
    words = f"95 % interval {low:+.4f} to {high:+.4f}; {test.queries} queries kept out of tuning{looks}"
    return _card("change on the hold-out", f"{test.difference:+.4f}", words)


def _cost(tuning: Tuning, context: Context) -> str:
    used = [name for name, weight in tuning.weights.items() if weight > 0]
    times = [context.latency[name] * 1000 for name in used if name in context.latency]
    every = [context.latency[name] * 1000 for name in tuning.problem.pipelines if name in context.latency]
    value = f"{len(used)} of {len(tuning.weights)} input pipelines"
    if not times:
        return _card("cost", value, "latency was not measured in this run")
    words = f"{sum(times):.1f} ms of searching a question (medians, one after the other)"
    if len(times) < len(every):
        words += f" instead of {sum(every):.1f} ms"
    return _card("cost", value, words)


def _losers(tuning: Tuning, context: Context) -> str:
    losers = [one for one in tuning.outcomes if one.difference < 0][:LOSERS]
    if not losers:
        return "<h2>Who loses</h2><p>No query loses.</p>"
    count = sum(one.difference < 0 for one in tuning.outcomes)
    wins = sum(one.difference > 0 for one in tuning.outcomes)
    rows = "".join(query_item(one, tuning, context) for one in losers)
    words = f"{wins} queries win, {count} lose; the greatest losses:"
    return f"<h2>Who loses</h2><p>{words}</p><ol class=losers>{rows}</ol>"


def query_item(one: QueryOutcome, tuning: Tuning, context: Context) -> str:
    """A query with its change, and its first relevant documents by title."""
    held = "<span class=tag>hold-out</span>" if one.query in tuning.held_queries else ""
    text = escape(context.texts.get(one.query, one.query))
    up = " up" if one.difference > 0 else ""
    found = sorted(one.relevant, key=lambda document: (-document.grade, str(document.document)))[:2]
    places = "".join(
        f"<div>{escape(context.titles.get(str(document.document), str(document.document)))}: "
        f"rank {document.before or '–'} → {document.after or '–'}</div>"
        for document in found
    )
    return f"<li><span class='change{up}'>{one.difference:+.3f}</span>{text}{held}{places}</li>"


def _since(tuning: Tuning, context: Context) -> str:
    """What changed since the last run."""
    last = context.previous
    if last is None:
        return ""
    changed = [
        name
        for name in differences(last.get("facts", {}), json.loads(_facts(context)))
        if "latency" not in name
    ]
    before = ", ".join(f"{name} {weight:.4g}" for name, weight in last["weights"].items())
    after = ", ".join(f"{name} {weight:.4g}" for name, weight in tuning.weights.items())
    weights = "Weights as before." if before == after else f"Weights were {before}, are {after}."
    old = {name: values[1] for name, values in last["per_query"].items()}
    both = [one for one in tuning.outcomes if one.query in old]
    mean = sum(one.after - old[one.query] for one in both) / len(both) if both else 0.0
    up = sum(one.after > old[one.query] for one in both)
    down = sum(one.after < old[one.query] for one in both)
    inputs = "Nothing that it depends on changed." if not changed else f"Changed: {', '.join(changed)}."
    return (
        f"<h2>Since the last run</h2><p>{escape(inputs)} {escape(weights)} Over the {len(both)} queries of "
        f"both runs {escape(tuning.measure)} changes by {mean:+.4f}: {up} queries better, {down} worse.</p>"
    )


def _facts(context: Context) -> str:
    facts = {name: fact for name, fact in context.facts.items() if name != "latency"}
    return json.dumps(facts, default=str)


def _stage(tuning: Tuning) -> str:
    """What to write into the stage."""
    if tuning.verdict.rule == "single":
        return ""
    written = json.dumps(fusion_document(tuning.problem.fusion, tuning.weights))
    return f"<h2>To copy</h2><pre class=copy>{escape(written)}</pre>"
