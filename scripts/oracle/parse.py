"""Compare the grammar with what the real search engine's parser said, case by case.

    python scripts/oracle/parse.py                   # the table
    python scripts/oracle/parse.py --show 20 range   # the first 20 differences of a family
    python scripts/oracle/parse.py --cases kept.jsonl.gz --json

A case agrees in its verdict when both accept or both refuse, in its message when the first message is equal
byte for byte. Messages are not compared where the recording says that the text is incidental (`exception`) or
lists a set (`unordered`).
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from atlas_rag.check.extended_json import decode
from atlas_rag.grammar import create_problems, problems

CASES = Path(__file__).resolve().parents[2] / "tests" / "data" / "oracle" / "parse"


@dataclass
class Tally:
    """Counts of one family."""

    cases: int = 0
    verdicts: int = 0
    refused: int = 0
    messages: int = 0


@dataclass
class Difference:
    """A case that does not agree."""

    id: str
    what: str
    input: Any
    expected: str | None
    given: str | None


def read_cases(path: Path) -> Iterator[dict[str, Any]]:
    """The cases of a file, or of every file of a folder."""
    for file in sorted(path.glob("*.jsonl.gz")) if path.is_dir() else [path]:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            yield from map(json.loads, lines)


def first_message(what: str, document: Any) -> str | None:
    """What the grammar says first about a decoded document."""
    found = problems(what, document)
    return found[0].message if found else None


def compare(case: dict[str, Any], given: str | None, tally: Tally) -> Difference | None:
    """Count a case, and return it where it does not agree."""
    tally.cases += 1
    verdict = (given is None) == case["valid"]
    tally.verdicts += verdict
    message = verdict
    if not case["valid"] and not case.keys() & {"exception", "unordered"}:
        tally.refused += 1
        message = given == case["error"]
        tally.messages += message
    if message:
        return None
    return Difference(case["id"], case["what"], case["input"], case["error"], given)


def creation_differences(cases: list[dict[str, Any]]) -> list[Difference]:
    """Definitions that the parser accepts and creation judges differently than here."""
    differences = []
    for case in cases:
        if not case["valid"] or not case["what"].endswith("Index"):
            continue
        found = create_problems(decode(case["input"]), vector=case["what"] == "vectorIndex")
        given = found[0].message if found else None
        expected = case.get("createError", {}).get("message")
        if given != expected:
            differences.append(Difference(case["id"], case["what"], case["input"], expected, given))
    return differences


def cases_per_second(cases: list[dict[str, Any]]) -> float:
    """Decoding and checking together, as the machine mode does it."""
    texts = [(case["what"], json.dumps(case["input"])) for case in cases]
    start = time.perf_counter()
    for what, text in texts:
        problems(what, decode(json.loads(text)))
    return len(texts) / (time.perf_counter() - start)


def run(cases: list[dict[str, Any]]) -> tuple[dict[str, Tally], list[Difference]]:
    """Tallies by family, and all differences."""
    tallies: dict[str, Tally] = {}
    differences = []
    for case in cases:
        tally = tallies.setdefault(case["family"], Tally())
        difference = compare(case, first_message(case["what"], decode(case["input"])), tally)
        if difference is not None:
            differences.append(difference)
    return tallies, differences


def table(tallies: dict[str, Tally]) -> str:
    """The tallies as text, with a line for all."""
    rows = [*sorted(tallies.items()), ("all", total(tallies))]
    lines = [f"{'family':<22}{'cases':>7}{'verdict':>9}{'refused':>9}{'message':>9}"]
    for name, one in rows:
        verdict = f"{one.verdicts / one.cases:.2%}"
        message = f"{one.messages / one.refused:.2%}" if one.refused else "–"
        lines.append(f"{name:<22}{one.cases:>7}{verdict:>9}{one.refused:>9}{message:>9}")
    return "\n".join(lines)


def total(tallies: dict[str, Tally]) -> Tally:
    """The sum of all families."""
    ones = tallies.values()
    return Tally(
        cases=sum(one.cases for one in ones),
        verdicts=sum(one.verdicts for one in ones),
        refused=sum(one.refused for one in ones),
        messages=sum(one.messages for one in ones),
    )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("families", nargs="*", help="families to compare; all without")
    parser.add_argument("--cases", type=Path, default=CASES, help="a .jsonl.gz file or a folder of them")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differences")
    parser.add_argument("--json", action="store_true", help="print for machines")
    options = parser.parse_args()
    cases = [
        case
        for case in read_cases(options.cases)
        if not options.families or case["family"] in options.families
    ]
    tallies, differences = run(cases)
    differences += creation_differences(cases)
    speed = cases_per_second(cases)
    if options.json:
        report = {
            "families": {name: asdict(one) for name, one in tallies.items()},
            "total": asdict(total(tallies)),
            "differences": [asdict(one) for one in differences],
            "casesPerSecond": round(speed),
        }
        print(json.dumps(report))
    else:
        print(table(tallies))
        print(f"{len(differences)} differences, {speed:,.0f} cases a second")
        for one in differences[: options.show]:
            print(f"\n{one.id}\n  input    {json.dumps(one.input)[:400]}")
            print(f"  expected {one.expected}\n  given    {one.given}")
    return 1 if differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
