"""The demo, as `make demo` runs it: `atlas-rag demo`.

python -m scripts.demo                     in-process engine, kept in .atlas_rag between runs
ATLAS_RAG_URI=… python -m scripts.demo     the same on that deployment
"""

from __future__ import annotations

import sys

from atlas_rag.cli import main

if __name__ == "__main__":
    main(["demo", *sys.argv[1:]])
