"""Loads a file of JSON lines: embeds each text and upserts the documents: `atlas-rag load`.

python -m scripts.load_documents shop.notes notes.jsonl --text body --id key --embedder minilm
"""

from __future__ import annotations

import sys

from atlas_rag.cli import main

if __name__ == "__main__":
    main(["load", *sys.argv[1:]])
