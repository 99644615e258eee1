"""The collections of the latency workloads: two public ones, where they are at hand, and a made one."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

CORPORA = Path(__file__).resolve().parents[4] / "shared" / "corpora"
_DIMENSIONS, _CENTRES, _VOCABULARY, _WORDS = 128, 2000, 50_000, 100
_SYLLABLES = [consonant + vowel for consonant in "bdfghjklmnprstvz" for vowel in "aeiou"]


@dataclass(frozen=True)
class Collection:
    """Documents `{_id, text, n, v}` and questions as vectors and texts; `n` counts the documents."""

    name: str
    documents: list[dict[str, Any]]
    vectors: list[list[float]]
    texts: list[str]

    @property
    def dimensions(self) -> int:
        return len(self.vectors[0])

    @property
    def tenths(self) -> list[dict[str, int]]:
        """Ranges of `n` that hold a tenth of the documents, one per question."""
        size = len(self.documents)
        starts = np.random.default_rng(22).integers(0, size - size // 10, len(self.vectors)).tolist()
        return [{"$gte": start, "$lt": start + size // 10} for start in starts]


def public(name: str, root: Path = CORPORA) -> Collection | None:
    """Cranfield or SciFact with their MiniLM vectors; None where they are not at hand."""
    folder = root / name
    if not folder.exists():
        folder = root.parents[2] / "shared" / "corpora" / name  # a work tree lies one folder deeper
    if not folder.exists():
        return None
    lines = [json.loads(line) for line in (folder / "corpus.jsonl").read_text("utf-8").splitlines()]
    vectors = np.load(folder / "minilm_docs.npy").astype(np.float32).tolist()
    documents = [
        {"_id": line["_id"], "text": f"{line.get('title', '')} {line['text']}", "n": at, "v": vector}
        for at, (line, vector) in enumerate(zip(lines, vectors, strict=True))
    ]
    questions = [
        json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()
    ]
    asked = np.load(folder / "minilm_queries.npy").astype(np.float32).tolist()
    return Collection(name, documents, asked[:200], questions[:200])


def made(count: int, *, with_text: bool = True) -> Collection:
    """Zipf-distributed words, and vectors around 2,000 centres: the shape of the recorded workload."""
    rng = np.random.default_rng(11)
    centres = rng.standard_normal((_CENTRES, _DIMENSIONS))
    around = rng.integers(0, _CENTRES, count + 200)
    vectors = (centres[around] + 0.6 * rng.standard_normal((count + 200, _DIMENSIONS))).astype(np.float32)
    chances = 1 / np.arange(1, _VOCABULARY + 1)
    chances /= chances.sum()
    documents: list[dict[str, Any]] = []
    for at in range(count):
        document: dict[str, Any] = {"_id": at, "n": at, "v": vectors[at].tolist()}
        if with_text:
            document["text"] = " ".join(map(_word, rng.choice(_VOCABULARY, _WORDS, p=chances).tolist()))
        documents.append(document)
    ranks = np.exp(rng.uniform(np.log(20), np.log(20_000), (200, 3))).astype(int)
    texts = [" ".join(map(_word, row)) for row in ranks.tolist()]
    return Collection(f"made {count:,}", documents, vectors[count:].tolist(), texts)


def _word(rank: int) -> str:
    place = (rank * 7919 + 12345) % len(_SYLLABLES) ** 3
    return _SYLLABLES[place // 6400] + _SYLLABLES[place // 80 % 80] + _SYLLABLES[place % 80]
