"""Compare the in-process engine's `$search` with the recorded answers of the real one.

    python -m scripts.oracle.search                    # a table per recording
    python -m scripts.oracle.search --families         # and a line per family of queries
    python -m scripts.oracle.search main variants      # some recordings
    python -m scripts.oracle.search --json

Every unequal case is listed with its first difference and the reason on file.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from bson import json_util

from scripts.oracle.search_comparison import CARRIED, SETS, Compared, compared

DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "oracle"
PARTS = ("order", "meta", *CARRIED, "refusal")


def main() -> None:
    """Prints the comparison."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("recordings", nargs="*", default=SETS, help=f"some of {', '.join(SETS)}")
    parser.add_argument("--families", action="store_true", help="a line per family as well")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of a table")
    chosen = parser.parse_args()
    results = [case for name in chosen.recordings for case in compared(name, read(name))]
    if chosen.json:
        print(json.dumps({"total": summary(results), "unequal": unequal(results)}))
        return
    for name in chosen.recordings:
        own = [case for case in results if case.recording == name]
        print(f"{name:18s} {line(own)}")
        for family in sorted({case.family for case in own}) if chosen.families else ():
            print(f"  {family:16s} {line([case for case in own if case.family == family])}")
    for case in unequal(results):
        print(f"\n{case['case']}: {case['reason']}")
        for part, difference in case["differences"].items():
            print(f"  {part} {difference}")


def read(name: str) -> dict[str, Any]:
    """Reads a recording."""
    with gzip.open(DATA / "engine" / f"{name}.json.gz", "rt", encoding="utf-8") as packed:
        recording: dict[str, Any] = json_util.loads(packed.read())
    return recording


def reasons() -> dict[str, str]:
    """Reads why cases are known to be unequal, by `recording/number`."""
    known: dict[str, str] = json.loads((DATA / "unequal_search.json").read_text("utf-8"))
    return known


def unequal(results: Iterable[Compared]) -> list[dict[str, Any]]:
    """The unequal cases with differences and reasons."""
    known = reasons()
    return [
        {
            "case": f"{case.recording}/{case.number}",
            "reason": known.get(f"{case.recording}/{case.number}", "no reason on file"),
            "differences": case.differences,
        }
        for case in results
        if not case.equal
    ]


def summary(results: Sequence[Compared]) -> dict[str, Any]:
    """Counts over cases: `part` is [equal, compared]."""
    tested, passed = Counter[str](), Counter[str]()
    for case in results:
        tested.update(list(case.parts))
        passed.update(part for part, equal in case.parts.items() if equal)
    return {
        "cases": len(results),
        "equal": sum(case.equal for case in results),
        "hits": sum(case.hits for case in results),
        "bit equal": sum(case.bit_equal for case in results),
        "within 2 units": sum(case.near for case in results),
        **{part: [passed[part], tested[part]] for part in PARTS if tested[part]},
    }


def line(results: Sequence[Compared]) -> str:
    """One line of the table."""
    counts = summary(results)
    parts = [f"{part} {pair[0]}/{pair[1]}" for part, pair in counts.items() if isinstance(pair, list)]
    scores = f"scores {counts['bit equal']}/{counts['hits']} (within 2 units {counts['within 2 units']})"
    return f"{counts['equal']}/{counts['cases']} cases equal; {scores}; {', '.join(parts)}"


if __name__ == "__main__":
    main()
