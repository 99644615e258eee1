"""Results as files that other programs read."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from atlas_rag.tuning.data.runs import DocumentId
from atlas_rag.tuning.diagnosis import QueryOutcome, Threshold, Unreachable
from atlas_rag.tuning.problem.named import fusion_document
from atlas_rag.tuning.procedure import Tuning
from atlas_rag.tuning.report.context import Context
from atlas_rag.tuning.statistics import Gain
from atlas_rag.tuning.statistics.power import power_table


def weights_document(
    tuning: Tuning, facts: Mapping[str, Any], thresholds: Mapping[str, Threshold] | None = None
) -> dict[str, Any]:
    """What `weights.json` holds: weights ready for a retriever, and where they come from."""
    verdict = tuning.verdict
    problem = tuning.problem
    return {
        "weights": dict(tuning.weights),
        "fusion": verdict.recommended.alternative,
        **fusion_document(problem.fusion, tuning.weights),
        "rule": verdict.rule,
        "verdict": verdict.sentence,
        "hybrid": verdict.hybrid,
        "single_suffices": verdict.single_suffices,
        "enough_queries": verdict.enough,
        "measure": tuning.measure,
        "gain": gain_document(verdict.gain),
        "against_single": gain_document(verdict.against_single),
        "against_current": gain_document(verdict.against_current),
        "holdout": holdout_document(tuning),
        "best_guess": {
            "weights": dict(zip(problem.pipelines, map(float, verdict.guess.weights), strict=True)),
            "fusion": verdict.guess.alternative,
            "rule": verdict.guess.rule,
        },
        "best_single": verdict.single_name,
        "equivalent": list(tuning.equivalent) if tuning.equivalent else None,
        "gain_of_grades": getattr(problem.measure, "gain", None),
        "queries": {
            "tuning": len(problem.queries),
            "held_out": len(tuning.held.queries) if tuning.held else 0,
        },
        "means": {
            row.name: {"tuning": row.tuning, "cross_validated": row.validated, "held_out": row.held_out}
            for row in tuning.rows
        },
        "plateau": [tuning.plateau.low, tuning.plateau.high] if tuning.plateau else None,
        "ranges": {name: list(ends) for name, ends in verdict.ranges.items()},
        "optimum": {
            "weights": dict(zip(problem.pipelines, map(float, tuning.optimum.weights), strict=True)),
            "value": tuning.optimum.value,
            "exact": tuning.optimum.exact,
            "gap": tuning.optimum.certificate.gap if tuning.optimum.certificate else 0.0,
        },
        "classes": classes_document(tuning),
        "thresholds": {name: threshold_document(found) for name, found in (thresholds or {}).items()},
        "detectable_difference": verdict.detectable,
        "queries_needed": {f"{wanted:g}": count for wanted, count in power_table(verdict.deviation)},
        "warnings": list(tuning.warnings),
        "seed": tuning.settings.seed,
        "facts": dict(facts),
    }


def gain_document(found: Gain | None) -> dict[str, Any] | None:
    """A gain as data."""
    if found is None:
        return None
    return {
        "baseline": found.baseline,
        "queries": found.queries,
        "estimate": found.estimate,
        "interval": list(found.interval),
        "p": found.p,
        "shown": found.shown,
        "held_out_mean_difference": found.plain,
        "error": found.error,
    }


def holdout_document(tuning: Tuning) -> dict[str, Any] | None:
    """What the recommended weights changed on the hold-out, as data."""
    test = tuning.holdout_test
    if test is None:
        return None
    return {
        "queries": test.queries,
        "difference": test.difference,
        "interval": list(test.interval),
        "p": test.p_student,
    }


def threshold_document(found: Threshold) -> dict[str, Any]:
    """A threshold as data; what is not a number is null."""
    return {
        name: None if isinstance(value, float) and math.isnan(value) else value
        for name, value in asdict(found).items()
    } | {"capped": found.capped}


def classes_document(tuning: Tuning) -> dict[str, Any] | None:
    """The weights of classes of questions as data, with the routing table where one is justified."""
    study = tuning.classes
    if study is None:
        return None
    return {
        "rule": study.rule,
        "p": study.p,
        "differ": study.differ,
        "rows": [
            {
                "class": row.name,
                "queries": row.queries,
                "weights": dict(zip(study.pipelines, map(float, row.weights), strict=True)),
                "equal": row.equal,
                "common": row.common,
                "own": row.own,
            }
            for row in study.rows
        ],
        "routing": study.routing,
    }


def write_weights(path: Path, tuning: Tuning, context: Context) -> None:
    """Writes `weights.json`."""
    text = json.dumps(
        weights_document(tuning, context.facts, context.thresholds), indent=2, ensure_ascii=False, default=str
    )
    path.write_text(text + "\n", encoding="utf-8")


def write_trec_run(path: Path, ranking: Mapping[str, Sequence[tuple[DocumentId, float]]], name: str) -> None:
    """Writes a TREC run: `query Q0 document rank score name`.

    The scores fall strictly (number of rows - rank + 1): trec_eval sorts by score again and breaks ties its
    own way, which would undo the server's order.
    """
    with path.open("w", encoding="utf-8") as run:
        for query, rows in ranking.items():
            for place, (document, _) in enumerate(rows):
                run.write(f"{query} Q0 {document} {place + 1} {len(rows) - place} {name}\n")


def write_per_query(path: Path, outcomes: Sequence[QueryOutcome], texts: Mapping[str, str]) -> None:
    """Writes a line per query: values at equal and recommended weights, ranks of relevant documents."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["query", "text", "equal", "recommended", "difference", "relevant documents"])
        for outcome in outcomes:
            table.writerow(
                [
                    outcome.query,
                    texts.get(outcome.query, ""),
                    repr(outcome.before),
                    repr(outcome.after),
                    repr(outcome.difference),
                    "; ".join(
                        f"{found.document} grade {found.grade}: "
                        f"rank {found.before or '–'} to {found.after or '–'} ("
                        + ", ".join(f"{name} {rank or 'absent'}" for name, rank in found.ranks.items())
                        + ")"
                        for found in outcome.relevant
                    ),
                ]
            )


def write_unreachable(path: Path, unreachable: Sequence[Unreachable], texts: Mapping[str, str]) -> None:
    """Writes a line per relevant document that no weights can bring within the cutoff, and why."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["query", "text", "document", "reason", "documents always ahead"])
        for entry in unreachable:
            words = texts.get(entry.query, "")
            table.writerow([entry.query, words, entry.document, entry.reason, entry.ahead or ""])


def write_to_judge(path: Path, context: Context) -> None:
    """Writes a line per document to judge next, the most useful first; grades are to be filled in."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["query", "document", "grade", "text", "title", "weightings", "best rank"])
        for one in context.judging:
            text, title = context.texts.get(one.query, ""), context.titles.get(str(one.document), "")
            table.writerow([one.query, one.document, "", text, title, one.shown, one.rank])
