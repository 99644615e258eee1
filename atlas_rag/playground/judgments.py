"""What a person marked, in the files that `atlas-rag tune` reads: `queries.jsonl` and `qrels.tsv`."""

from __future__ import annotations

import hashlib
import json
import threading
from pathlib import Path

HEADER = "query-id\tcorpus-id\tscore\n"


class Judgments:
    """Appends judgments to a folder; the last word on a document counts.

    Args:
        folder: made when the first judgment is given.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._writing = threading.Lock()

    def add(self, question: str, identity: str, relevant: bool) -> int:
        """Keeps one judgment; how many there are now."""
        name = hashlib.sha256(question.encode()).hexdigest()[:12]
        with self._writing:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._know(name, question)
            given = self._read()
            given[name, identity] = int(relevant)
            lines = [f"{query}\t{document}\t{score}\n" for (query, document), score in given.items()]
            temporary = self._folder / "qrels.tsv.new"
            temporary.write_text(HEADER + "".join(lines), encoding="utf-8")
            temporary.replace(self._folder / "qrels.tsv")
            return len(given)

    def _know(self, name: str, question: str) -> None:
        file = self._folder / "queries.jsonl"
        known = file.read_text(encoding="utf-8") if file.exists() else ""
        if f'"{name}"' not in known:
            with file.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps({"_id": name, "text": question}, ensure_ascii=False) + "\n")

    def _read(self) -> dict[tuple[str, str], int]:
        file = self._folder / "qrels.tsv"
        if not file.exists():
            return {}
        rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines()[1:]]
        return {(query, document): int(score) for query, document, score in rows}
