"""Creates and updates search indexes and waits until they can be queried: `atlas-rag index apply`.

ATLAS_RAG_URI=… python -m scripts.setup_indexes shop.notes --recipe hybrid
python -m scripts.setup_indexes shop.notes --definitions pipelines/indexes --dry-run --json
"""

from __future__ import annotations

import sys

from atlas_rag.cli import main

if __name__ == "__main__":
    main(["index", "apply", *sys.argv[1:]])
