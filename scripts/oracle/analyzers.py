"""Compare token streams with those of the real engine and of Lucene itself, analyzer by analyzer.

    python scripts/oracle/analyzers.py                   # the table, and what is refused
    python scripts/oracle/analyzers.py --show 5          # the first differences too
    python scripts/oracle/analyzers.py --engine kept.json.gz --lucene kept_lucene.json.gz --json

A case is one text through one analyzer. It agrees when every term, offset, increment and (where recorded)
length is equal, and the fast path gives the same terms and positions.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis import Analyzer, registry

DATA = Path(__file__).resolve().parents[2] / "tests" / "data" / "oracle"
SETS = ("stock", "custom", "lucene")

Recorded = list[list[Any]]


@dataclass
class Result:
    """One analyzer's cases: how many there are, which differ, why it is refused."""

    set: str
    name: str
    cases: int = 0
    differing: list[str] = field(default_factory=list)
    refusal: str | None = None


def read(path: Path) -> Any:
    """A gzipped JSON file."""
    return json.loads(gzip.decompress(path.read_bytes()))


def agrees(analyzer: Analyzer, text: str, recorded: Recorded) -> bool:
    """Whether the full and the fast path both give what was recorded."""
    width = len(recorded[0]) if recorded else 0
    if [list(token[:width]) for token in analyzer.tokens(text)] != recorded:
        return False
    positions, place = [], -1
    for token in recorded:
        place += token[3]
        positions.append(place)
    return analyzer.terms(text) == ([token[0] for token in recorded], positions)


def analyzers(engine: Any, lucene: Any) -> Iterator[tuple[str, str, list[Any], list[tuple[str, Recorded]]]]:
    """Set, name, custom definitions and texts with their tokens, one analyzer after the other."""
    for name, texts in engine["stock"].items():
        yield "stock", f"lucene.{name}", [], list(texts.items())
    for case in engine["custom"]:
        yield "custom", case["analyzer"]["name"], [case["analyzer"]], list(case["tokens"].items())
    by_name: dict[str, list[tuple[str, Recorded]]] = {}
    for case in lucene["analysis"]:
        by_name.setdefault(case["analyzer"], []).append((case["text"], case["tokens"]))
    for name, texts in by_name.items():
        yield "lucene", name, [], texts


def run(engine: Any, lucene: Any) -> list[Result]:
    """The result of every analyzer."""
    results = []
    for kind, name, definitions, texts in analyzers(engine, lucene):
        result = Result(kind, name, len(texts))
        results.append(result)
        try:
            analyzer = registry(definitions).get(name)
        except EngineRefusal as refusal:
            result.refusal = refusal.text
            continue
        result.differing = [text for text, recorded in texts if not agrees(analyzer, text, recorded)]
    return results


def table(results: list[Result]) -> str:
    """Cases and analyzers by set, then the refusals."""
    lines = [f"{'set':<8}{'analyzers':>10}{'supported':>10}{'cases':>8}{'equal':>8}"]
    for kind in SETS:
        ours = [result for result in results if result.set == kind]
        done = [result for result in ours if result.refusal is None]
        cases = sum(result.cases for result in done)
        equal = cases - sum(len(result.differing) for result in done)
        lines.append(f"{kind:<8}{len(ours):>10}{len(done):>10}{cases:>8}{equal:>8}")
    lines += [
        f"refused: {result.set} {result.name}: {result.refusal}" for result in results if result.refusal
    ]
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--engine", type=Path, default=DATA / "engine" / "analyzers.json.gz")
    parser.add_argument("--lucene", type=Path, default=DATA / "lucene" / "all_analyzers.json.gz")
    parser.add_argument("--show", type=int, default=0, metavar="N", help="print the first N differing texts")
    parser.add_argument("--json", action="store_true", help="for machines")
    options = parser.parse_args()
    results = run(read(options.engine), read(options.lucene))
    if options.json:
        print(json.dumps([vars(result) for result in results], ensure_ascii=False, indent=1))
    else:
        print(table(results))
        differing = [(result, text) for result in results for text in result.differing]
        for result, text in differing[: options.show]:
            print(f"{result.set} {result.name}: {text!r}")
    return 1 if any(result.differing for result in results) else 0


if __name__ == "__main__":
    sys.exit(main())
