"""Ten minutes of everything against one server process, watching its memory: `python -m scripts.soak`.

Clients come and go, write, replace, delete, search in three modes, leave cursors open and make mistakes; the
collection keeps its size. Ends with an error when memory grows after the first quarter.

    python -m scripts.soak --seconds 60 --json
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
import time
from pathlib import Path
from typing import Any

from pymongo import MongoClient
from pymongo.errors import PyMongoError

from scripts.bench.serve import DIMENSIONS, WORDS, hybrid, server_process

DOCUMENTS, CLIENTS = 2000, 6
MOST_GROWTH = 0.10
"""Part by which the memory of the last quarter may exceed that of the second."""


def main() -> int:
    """Runs and reports; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=600.0, help="how long, > 0")
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON document")
    options = parser.parse_args()
    with server_process() as (process, uri):
        report = soak(uri, process.pid, options.seconds)
    if options.json:
        print(json.dumps(report))
    else:
        for name, value in report.items():
            print(f"{name}: {value}")
    return 0 if report["growth"] <= MOST_GROWTH and not report["unexpected errors"] else 1


def soak(uri: str, process: int, seconds: float) -> dict[str, Any]:
    """Loads the server and returns the figures. Memory in megabytes."""
    end = time.monotonic() + seconds
    counts: dict[str, int] = {}
    unexpected: list[str] = []
    prepare(uri)
    workers = [
        threading.Thread(target=work, args=(uri, number, end, counts, unexpected))
        for number in range(CLIENTS)
    ]
    for worker in workers:
        worker.start()
    samples = []
    while time.monotonic() < end:
        time.sleep(min(1.0, seconds / 40))
        samples.append(resident_megabytes(process))
    for worker in workers:
        worker.join()
    quarter = len(samples) // 4
    before, after = _median(samples[quarter : 2 * quarter]), _median(samples[-quarter:])
    return {
        "seconds": seconds,
        "operations": counts,
        "memory in the second quarter": before,
        "memory in the last quarter": after,
        "growth": round(after / before - 1, 4),
        "unexpected errors": unexpected[:5],
    }


def prepare(uri: str) -> None:
    """Makes the collection with both indexes."""
    chance = random.Random(0)
    with MongoClient(uri) as client:
        things = client["bench"]["things"]
        things.insert_many([_document(number, chance) for number in range(DOCUMENTS)])
        text = {"mappings": {"dynamic": False, "fields": {"text": {"type": "string"}}}}
        vector = {"type": "vector", "path": "v", "numDimensions": DIMENSIONS, "similarity": "cosine"}
        things.create_search_index({"name": "text", "definition": text})
        things.create_search_index(
            {"name": "vector", "type": "vectorSearch", "definition": {"fields": [vector]}}
        )


def work(uri: str, number: int, end: float, counts: dict[str, int], unexpected: list[str]) -> None:
    """One client after the other, each with some operations, until the end."""
    chance = random.Random(number)
    while time.monotonic() < end:
        with MongoClient(uri) as client:
            for _ in range(chance.randint(1, 50)):
                action = chance.choice(ACTIONS)
                try:
                    action(client["bench"]["things"], chance)
                except PyMongoError as error:
                    unexpected.append(f"{action.__name__}: {error}"[:300])
                counts[action.__name__] = counts.get(action.__name__, 0) + 1


def _document(number: int, chance: random.Random) -> dict[str, Any]:
    words = " ".join(f"w{int(chance.paretovariate(0.6)) % WORDS}" for _ in range(40))
    return {"_id": number, "text": words, "v": [chance.gauss(0, 1) for _ in range(DIMENSIONS)]}


def replace(things: Any, chance: random.Random) -> None:
    """Replaces a document."""
    document = _document(chance.randrange(DOCUMENTS), chance)
    things.replace_one({"_id": document["_id"]}, document, upsert=True)


def delete_and_insert(things: Any, chance: random.Random) -> None:
    """Takes a document away and puts another one there."""
    number = chance.randrange(DOCUMENTS)
    things.delete_one({"_id": number})
    things.update_one({"_id": number}, {"$set": _document(number, chance)}, upsert=True)


def search(things: Any, chance: random.Random) -> None:
    """Searches in hybrid mode."""
    things.database.command(hybrid(chance))


def read(things: Any, chance: random.Random) -> None:
    """Reads a part of the collection in batches."""
    list(things.find({}, {"text": 1}, batch_size=50).limit(chance.randint(1, 300)))


def leave_a_cursor(things: Any, chance: random.Random) -> None:
    """Opens a cursor and walks away."""
    next(things.find({}, {"_id": 1}, batch_size=2), None)


def make_a_mistake(things: Any, chance: random.Random) -> None:
    """Sends a command that is refused."""
    try:
        things.aggregate([{"$nosuch": 1}])
    except PyMongoError as error:
        if getattr(error, "code", None) != 40324:
            raise


ACTIONS = (replace, delete_and_insert, search, read, leave_a_cursor, make_a_mistake)


def resident_megabytes(process: int) -> float:
    """Returns the resident memory of a process, from /proc."""
    for line in Path(f"/proc/{process}/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise ProcessLookupError(process)


def _median(values: list[float]) -> float:
    return round(sorted(values)[len(values) // 2], 1)


if __name__ == "__main__":
    sys.exit(main())
