"""Results as files that other programs read."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from atlas_rag.tuning.data.runs import DocumentId
from atlas_rag.tuning.diagnosis import QueryOutcome, Unreachable
from atlas_rag.tuning.procedure import Tuning


def weights_document(tuning: Tuning, facts: Mapping[str, Any]) -> dict[str, Any]:
    """What `weights.json` holds: weights ready for a retriever, and where they come from."""
    verdict = tuning.verdict
    return {
        "weights": dict(tuning.weights),
        "combination": {"weights": dict(tuning.weights)},
        "rule": verdict.rule,
        "verdict": verdict.sentence,
        "enough_queries": verdict.enough,
        "measure": tuning.measure,
        "gain": getattr(tuning.problem.measure, "gain", None),
        "queries": {
            "tuning": len(tuning.problem.queries),
            "held_out": len(tuning.held.queries) if tuning.held else 0,
        },
        "means": {
            row.name: {"tuning": row.tuning, "cross_validated": row.validated, "held_out": row.held_out}
            for row in tuning.rows
        },
        "plateau": [tuning.plateau.low, tuning.plateau.high] if tuning.plateau else None,
        "ranges": {name: list(ends) for name, ends in verdict.ranges.items()},
        "optimum": {
            "weights": dict(zip(tuning.problem.pipelines, map(float, tuning.optimum.weights), strict=True)),
            "value": tuning.optimum.value,
            "exact": tuning.optimum.exact,
            "gap": tuning.optimum.certificate.gap if tuning.optimum.certificate else 0.0,
        },
        "detectable_difference": verdict.detectable,
        "warnings": list(tuning.warnings),
        "seed": tuning.settings.seed,
        "facts": dict(facts),
    }


def write_weights(path: Path, tuning: Tuning, facts: Mapping[str, Any]) -> None:
    """Writes `weights.json`."""
    text = json.dumps(weights_document(tuning, facts), indent=2, ensure_ascii=False, default=str)
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
                        f"{found.document} grade {found.grade}: rank {found.before} to {found.after} ("
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
