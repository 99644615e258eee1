"""Asks a real server again what the recorded pipelines give, and rewrites the recording where it differs.

Example: python scripts/record_mql.py --dry-run
"""

from __future__ import annotations

import argparse
import gzip
import sys
from pathlib import Path
from typing import Any

import bson
from pymongo import MongoClient

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.support import mongod
from tests.support.mql.parity import OPTIONS, Failure, there

RECORDING = Path(__file__).resolve().parent.parent / "tests" / "data" / "mql" / "server-6.0.5.bson.gz"


def _answer(client: MongoClient[Any], documents: list[dict[str, Any]], pipeline: list[Any]) -> Any:
    outcome = there(client, documents, pipeline)
    return {"code": outcome.code, "errmsg": outcome.message} if isinstance(outcome, Failure) else outcome


def _write(recording: dict[str, Any]) -> None:
    # Without a time stamp, so that an equal recording is an equal file.
    with RECORDING.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        packed.write(bson.encode(recording))


def main() -> int:
    """Prints how many answers changed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--dry-run", action="store_true", help="only say what would change")
    arguments = parser.parse_args()
    recording = bson.decode(gzip.decompress(RECORDING.read_bytes()), OPTIONS)
    changed = 0
    with mongod.running() as uri, MongoClient(uri) as client:
        for case in recording["cases"]:
            answer = _answer(client, recording["documents"][case["documents"]], case["pipeline"])
            if bson.encode({"": answer}) != bson.encode({"": case["answer"]}):
                changed += 1
                print(case["pipeline"], "\n  was", case["answer"], "\n  is ", answer)
                case["answer"] = answer
    if changed and not arguments.dry_run:
        _write(recording)
    print(f"{changed} of {len(recording['cases'])} answers changed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
