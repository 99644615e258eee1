"""Turns two CSV files into the data of an experiment: documents, questions, judgments and vectors.

    python examples/own_data/from_csv.py FOLDER OUT [--embedder minilm]

FOLDER holds articles.csv (id, title, text) and questions.csv (question, article, grade); a question with
several right articles has several rows.
"""

from __future__ import annotations

import argparse
import csv
import json
from pathlib import Path

import numpy as np

from atlas_rag.cli.embedders import embedder_named


def main() -> None:
    """Writes corpus.jsonl, queries.jsonl, judgments.csv, documents.npy and queries.npy."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--embedder", default="minilm")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    embedder = embedder_named(options.embedder)

    articles = rows(options.folder / "articles.csv")
    judged = rows(options.folder / "questions.csv")
    questions = {
        text: f"q{number}"
        for number, text in enumerate(dict.fromkeys(one["question"] for one in judged), start=1)
    }

    write_lines(
        options.out / "corpus.jsonl",
        [{"_id": one["id"], "title": one["title"], "text": one["text"]} for one in articles],
    )
    write_lines(
        options.out / "queries.jsonl", [{"_id": one, "text": text} for text, one in questions.items()]
    )
    with (options.out / "judgments.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["query", "document", "grade"])
        writer.writerows([questions[one["question"]], one["article"], one["grade"]] for one in judged)

    texts = [f"{one['title']}. {one['text']}" for one in articles]
    save(options.out / "documents.npy", embedder.embed_documents(texts))
    save(options.out / "queries.npy", [embedder.embed_query(text) for text in questions])
    print(f"{len(articles)} articles, {len(questions)} questions, {len(judged)} judgments in {options.out}")


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV file with a header."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_lines(path: Path, objects: list[dict[str, str]]) -> None:
    """One JSON object a line."""
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects), encoding="utf-8")


def save(path: Path, vectors: object) -> None:
    """A float32 matrix, a row for each text."""
    np.save(path, np.asarray(vectors, dtype=np.float32))


if __name__ == "__main__":
    main()
