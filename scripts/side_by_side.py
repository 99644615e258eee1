"""The demo's questions asked of langchain-mongodb's hybrid retriever and of ours: same data, same server.

    python -m scripts.side_by_side

Their packages live in an environment of their own, see `scripts.compat`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pymongo

from atlas_rag import Filter, KeywordInput, Retriever, VectorInput
from atlas_rag.demo import COLLECTION, DATABASE, RECIPE, HandbookEmbedder, prepare, questions
from atlas_rag.plan import Input
from atlas_rag.recipes import read_recipe
from atlas_rag.serve import serve
from scripts.compat import environment

SCRIPT = Path(__file__).parent / "compatibility" / "langchain_hybrid.py"
HITS = 5


def main() -> int:
    """Prints the rank of the right article: theirs search the text, ours do that, and title and text."""
    embedder = HandbookEmbedder()
    with serve() as uri, pymongo.MongoClient[dict[str, Any]](uri) as client:
        collection = client[DATABASE][COLLECTION]
        prepare(collection, embedder)
        columns = {
            "theirs": _theirs(uri, embedder),
            "ours, text": _ours(collection, embedder, KeywordInput(paths=("text",))),
            "ours": _ours(collection, embedder, *read_recipe(RECIPE).inputs[1:]),
        }
    print(f"{'rank of the right article':<46}" + "".join(f"{name:>12}" for name in columns))
    for one in questions():
        ranks = [_rank(one.answer, found[one.text]) for found in columns.values()]
        print(f"{one.text:<46}" + "".join(f"{rank or '-':>12}" for rank in ranks))
    equal = sum(columns["theirs"][one.text] == columns["ours, text"][one.text] for one in questions())
    print(f"searching the same field, the same first {HITS} in the same order: {equal} of {len(questions())}")
    return 0


def _theirs(uri: str, embedder: HandbookEmbedder) -> dict[str, list[str]]:
    asked = [[one.text, [float(value) for value in embedder.embed_query(one.text)]] for one in questions()]
    ran = subprocess.run(
        [environment("langchain"), SCRIPT, uri],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if ran.returncode:
        raise RuntimeError(f"langchain failed:\n{ran.stderr[-3000:]}")
    found: dict[str, list[str]] = json.loads(ran.stdout)
    return found


def _ours(collection: Any, embedder: HandbookEmbedder, *keyword: Input) -> dict[str, list[str]]:
    readers = Filter.where("audience", "customers")
    inputs = (VectorInput(), *keyword)
    retriever = Retriever(collection, inputs=inputs, embedder=embedder, store_filter=readers)
    return {
        one.text: [str(hit.id) for hit in retriever.retrieve(one.text, limit=HITS)] for one in questions()
    }


def _rank(title: str, found: list[str]) -> int | None:
    return found.index(title) + 1 if title in found else None


if __name__ == "__main__":
    sys.exit(main())
