"""Hello-world tasks of retrieval, ours and langchain-mongodb's: lines of code and requests for a question.

    python -m scripts.rivals

Same documents, same server; their packages live in an environment of their own, see `scripts.compat`. Lines
are those of the function for a task; requests are counted by the driver while it runs for the second time.
"""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pymongo
from pymongo import monitoring

from atlas_rag import HashingEmbedder, Result, Retriever
from atlas_rag.serve import serve
from scripts.compat import environment

THEIRS = Path(__file__).parent / "compatibility" / "rivals_langchain.py"
EMBEDDER = HashingEmbedder(64)
QUESTION = "keep the receipt"
NOTES = ["Refunds take five days.", "Keep the receipt.", "Parcels leave every morning.", "Track a parcel."]


class Counter(monitoring.CommandListener):
    """Counts what is sent."""

    def __init__(self) -> None:
        self.sent = 0

    def started(self, event: Any) -> None:
        self.sent += 1

    def succeeded(self, event: Any) -> None:
        pass

    def failed(self, event: Any) -> None:
        pass


def longest(question: str, texts: list[str]) -> list[float]:
    """Judges texts by their length."""
    return [float(len(text)) for text in texts]


def hybrid(retriever: Retriever, question: str) -> Result:
    return retriever.retrieve(question, limit=3)


def filtered(retriever: Retriever, question: str) -> Result:
    return retriever.retrieve(question, limit=3, filter={"tenant": "a"})


def parent_document(retriever: Retriever, question: str) -> Result:
    return retriever.retrieve(
        question, limit=3, collapse={"by": "doc"}, neighbours={"by": "doc", "position": "chunk"}
    )


def unlike_each_other(retriever: Retriever, question: str) -> Result:
    return retriever.retrieve(question, limit=3, diversify={"relevance": 0.5})


def self_reranked(retriever: Retriever, question: str) -> Result:
    return retriever.retrieve(question, limit=3, reranker=longest)


TASKS: dict[str, Callable[[Retriever, str], Result]] = {
    "hybrid": hybrid,
    "filtered": filtered,
    "parent document": parent_document,
    "unlike each other": unlike_each_other,
    "self-reranked": self_reranked,
}


def main() -> int:
    """Prints the table."""
    with serve() as uri:
        ours = measured(uri)
        theirs = _theirs(uri)
    print(f"{'task':<20}{'lines':>8}{'theirs':>8}{'requests':>10}{'theirs':>8}")
    for name, (lines, requests) in ours.items():
        other = theirs[name]
        sent = other["requests"] if other["requests"] is not None else other["problem"]
        print(f"{name:<20}{lines:>8}{other['lines']:>8}{requests:>10}{sent:>8}")
    return 0


def measured(uri: str) -> dict[str, tuple[int, int]]:
    """Lines and requests of each of our tasks, on a server that is filled for it."""
    counter = Counter()
    with pymongo.MongoClient[dict[str, Any]](uri, event_listeners=[counter]) as client:
        collection = client["rivals"]["notes"]
        retriever = Retriever(collection, embedder=EMBEDDER)
        notes = [
            {"_id": n, "doc": n // 2, "chunk": n % 2, "tenant": "a", "text": text}
            for n, text in enumerate(NOTES)
        ]
        retriever.load(notes)
        for note in list(collection.find()):  # arrays, which both libraries read
            vector = list(note["embedding"].as_vector().data)
            collection.update_one({"_id": note["_id"]}, {"$set": {"embedding": vector}})
        client["rivals"]["parents"].insert_many({"_id": n, "text": "whole"} for n in range(2))
        retriever.ensure_indexes(retriever.required_indexes(filter_paths=["tenant"]))
        found = {}
        for name, task in TASKS.items():
            task(retriever, QUESTION)
            counter.sent = 0
            if not task(retriever, QUESTION).hits:
                raise RuntimeError(f"{name} found nothing")
            found[name] = (_lines(task), counter.sent)
    return found


def _lines(task: Callable[..., Any]) -> int:
    return len([line for line in inspect.getsource(task).splitlines()[1:] if line.strip()])


def _theirs(uri: str) -> dict[str, dict[str, Any]]:
    ran = subprocess.run(
        [environment("langchain"), THEIRS, uri], capture_output=True, text=True, timeout=300, check=False
    )
    if ran.returncode:
        raise RuntimeError(f"langchain failed:\n{ran.stderr[-3000:]}")
    found: dict[str, dict[str, Any]] = json.loads(ran.stdout)
    return found


if __name__ == "__main__":
    sys.exit(main())
