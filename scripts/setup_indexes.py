"""Creates the search indexes of a recipe and waits until they can be queried. Safe to run again.

python -m scripts.setup_indexes atlas_rag_demo stdlib --recipe hybrid
python -m scripts.setup_indexes app docs --recipe vector --dry-run --json
"""

from __future__ import annotations

import argparse
import json
import sys

from atlas_rag import AtlasRagError
from atlas_rag.cli import places
from atlas_rag.engines.choose import engine_for
from atlas_rag.indexes import Waiting, ensure_indexes
from atlas_rag.wire import drive
from pipelines import RECIPES


def main() -> int:
    """Exit code 0 when all indexes can be queried, 1 when they cannot, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("database")
    parser.add_argument("collection")
    parser.add_argument("--recipe", choices=sorted(RECIPES), default="hybrid")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds to wait (default 300)")
    parser.add_argument("--dry-run", action="store_true", help="show the definitions, change nothing")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    args = parser.parse_args()
    wanted = RECIPES[args.recipe].indexes
    if args.dry_run:
        print(json.dumps([index.to_dict() for index in wanted], indent=None if args.json else 2))
        return 0
    with places.client() as client:
        engine = engine_for(client[args.database][args.collection])
        try:
            steps = ensure_indexes(
                engine.namespace, wanted, timeout=args.timeout, progress=None if args.json else show
            )
            ready = drive(steps, engine)
        except AtlasRagError as error:
            print(
                json.dumps({"error": int(error.code), "message": str(error)}) if args.json else error,
                file=sys.stderr,
            )
            return 1
    states = {index.name: index.status for index in ready}
    print(json.dumps(states) if args.json else f"ready: {', '.join(states)}")
    return 0


def show(waiting: Waiting) -> None:
    """One plain line per look."""
    states = ", ".join(f"{name} {state}" for name, state in waiting.states)
    print(f"{waiting.seconds:6.1f} s  {states}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
