"""Compare the in-process engine's `$vectorSearch` with the recorded answers of the real one.

    python scripts/oracle/vectors.py             # the table
    python scripts/oracle/vectors.py --show 5    # and the first differences of each set
    python scripts/oracle/vectors.py --json

`exact` counts questions that must be equal: all over unquantized indexes, and `exact: true` anywhere.
`approximate` counts the rest, which the real engine does not reproduce itself; `overlap` is the share of its
hits that ours holds too, `lossy` the same with simulated loss.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bson import json_util

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index import VectorIndex, open_vector_index

RECORDINGS = Path(__file__).resolve().parents[2] / "tests" / "data" / "oracle" / "engine"
TOLERANCE = 3e-7


@dataclass
class Tally:
    """Counts over one recording."""

    name: str
    exact: int = 0
    equal: int = 0
    hits: int = 0
    bit_equal: int = 0
    furthest: float = 0.0
    approximate: int = 0
    recorded_hits: int = 0
    overlap: float = 0.0
    lossy: float = 0.0
    differences: list[str] = field(default_factory=list)


def opened(recording: dict[str, Any], *, simulate_loss: bool) -> VectorIndex:
    index = open_vector_index(recording["definition"], simulate_loss=simulate_loss)
    for key, document in enumerate(recording["docs"]):
        index.put(key, document)
    return index


def answer(index: VectorIndex, recording: dict[str, Any], body: dict[str, Any]) -> list[tuple[Any, float]]:
    """Hits as (_id, score); a refusal as one hit whose _id is the message."""
    try:
        return [(recording["docs"][hit.key]["_id"], hit.score) for hit in index.search(body).hits]
    except EngineRefusal as refusal:
        return [(refusal.text, 0.0)]


def recorded(case: dict[str, Any]) -> list[tuple[Any, float]]:
    out = case["out"]
    if not out["ok"]:
        return [(out["errmsg"], 0.0)]
    return [(hit["_id"], hit["$vectorSearchScore"]) for hit in out["results"]]


def compare(name: str, recording: dict[str, Any]) -> Tally:
    tally = Tally(name)
    quantized = any(f.get("quantization", "none") != "none" for f in recording["definition"]["fields"])
    index, lossy = opened(recording, simulate_loss=False), opened(recording, simulate_loss=True)
    for number, case in enumerate(recording["cases"]):
        ours, theirs = answer(index, recording, case["q"]), recorded(case)
        if quantized and not case["q"].get("exact"):
            tally.approximate += 1
            tally.recorded_hits += len(theirs)
            tally.overlap += len(dict(ours).keys() & dict(theirs).keys())
            tally.lossy += len(dict(answer(lossy, recording, case["q"])).keys() & dict(theirs).keys())
            continue
        tally.exact += 1
        distances = [abs(a[1] - b[1]) for a, b in zip(ours, theirs, strict=False)]
        tally.hits += len(theirs)
        tally.bit_equal += distances.count(0.0)
        tally.furthest = max([tally.furthest, *distances])
        if [hit[0] for hit in ours] == [hit[0] for hit in theirs] and max(distances, default=0) <= TOLERANCE:
            tally.equal += 1
        else:
            tally.differences.append(f"case {number}: ours {ours[:6]} theirs {theirs[:6]}")
    if tally.recorded_hits:
        tally.overlap /= tally.recorded_hits
        tally.lossy /= tally.recorded_hits
    return tally


def main() -> None:
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--cases", type=Path, default=RECORDINGS, help="folder of recordings")
    arguments.add_argument("--show", type=int, default=0, metavar="N", help="differences to print per set")
    arguments.add_argument("--json", action="store_true", help="print JSON")
    chosen = arguments.parse_args()
    tallies = []
    for file in sorted(chosen.cases.glob("vector_*.json.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as packed:
            tallies.append(compare(file.name.removesuffix(".json.gz"), json_util.loads(packed.read())))
    if chosen.json:
        print(json.dumps([asdict(tally) for tally in tallies], indent=1))
        return
    print(
        f"{'set':26} {'exact: equal':>14} {'bit-equal hits':>16} {'furthest':>9} {'overlap':>8} {'lossy':>6}"
    )
    for tally in tallies:
        equal, bits = f"{tally.equal}/{tally.exact}", f"{tally.bit_equal}/{tally.hits}"
        quality = f"{tally.overlap:8.3f} {tally.lossy:6.3f}" if tally.approximate else f"{'-':>8} {'-':>6}"
        print(f"{tally.name:26} {equal:>14} {bits:>16} {tally.furthest:9.1e} {quality}")
        for difference in tally.differences[: chosen.show]:
            print("   ", difference)


if __name__ == "__main__":
    main()
