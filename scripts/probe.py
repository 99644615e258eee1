"""Tells what a deployment can do and what a need lacks; leaves with 1 if it is unmet: `atlas-rag probe`.

ATLAS_RAG_URI=… python -m scripts.probe shop.notes --need hybrid --recipe hybrid --json
"""

from __future__ import annotations

import sys

from atlas_rag.cli import main

if __name__ == "__main__":
    main(["probe", *sys.argv[1:]])
