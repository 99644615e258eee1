"""What starting costs in CPU, in fresh interpreters: `python -m scripts.bench.startup`."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile

from scripts.bench.table import Figure, show

ROUNDS = 9
BARE = "import pymongo"
FIRST = """
import pymongo
from atlas_rag import LocalClient, Retriever
collection = LocalClient()["app"]["docs"]
collection.insert_one({"text": "a word", "embedding": [1.0, 0.0]})
fields = [{"type": "vector", "path": "embedding", "numDimensions": 2, "similarity": "cosine"}]
vectors = {"name": "vector_index", "type": "vectorSearch", "definition": {"fields": fields}}
collection.create_search_index(vectors)
collection.create_search_index({"name": "text_index", "definition": {"mappings": {"dynamic": True}}})
Retriever(collection).retrieve("word", vector=[1.0, 0.0])
"""
"""What is put off must be paid some time: an engine, a retriever and its first answer."""

STARTS: tuple[tuple[str, str, float], ...] = (
    ("import atlas_rag (the shell alone)", "import pymongo, atlas_rag", 20),
    ("from atlas_rag import Retriever", "import pymongo; from atlas_rag import Retriever", 80),
    ("from atlas_rag import LocalClient", "import pymongo; from atlas_rag import LocalClient", 250),
    ("from nothing to the first answer in process (no bound asked)", FIRST, float("inf")),
)
"""Each with its bound in milliseconds of CPU over `import pymongo`, byte code cached."""


def main() -> None:
    """Prints the table."""
    show("start-up", startup())


def startup() -> list[Figure]:
    """Medians; every round runs each program once, so that all see the same machine."""
    programs = [BARE, *(program for _, program, _ in STARTS)]
    with tempfile.TemporaryDirectory() as folder:
        for program in programs:
            cpu_ms(program, folder)  # which caches its byte code
        rounds = [[cpu_ms(program, folder) for program in programs] for _ in range(ROUNDS)]
    bare = statistics.median(one[0] for one in rounds)
    figures = [Figure("import pymongo, for comparison", bare, float("inf"), "ms")]
    for position, (what, _, bound) in enumerate(STARTS, start=1):
        more = statistics.median(one[position] - one[0] for one in rounds)
        figures.append(Figure(what, more, bound, "ms"))
    return figures


def cpu_ms(program: str, byte_code: str) -> float:
    """CPU that a fresh interpreter spends on a program.

    Args:
        byte_code: folder where byte code is kept, whatever the environment says of keeping it.
    """
    code = f"{program}\nimport time; print(time.process_time() * 1e3)"
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment = {**own, "PYTHONPYCACHEPREFIX": byte_code}
    return float(subprocess.check_output([sys.executable, "-c", code], env=environment))


if __name__ == "__main__":
    main()
