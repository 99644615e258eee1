"""Loads a file of JSON lines: embeds each text and upserts the documents. Safe to kill and run again.

python -m scripts.load_documents shop.notes notes.jsonl --text body --id key
ATLAS_RAG_URI=… python -m scripts.load_documents shop.notes notes.jsonl --dimensions 384 --json
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from atlas_rag import AtlasRagError, HashingEmbedder
from atlas_rag.cli import places
from atlas_rag.drivers.choose import engine_for
from atlas_rag.loading import Loading, load, read_jsonl
from atlas_rag.wire import drive


def main() -> int:
    """Exit code 0 when every document is there, 1 when some failed or it had to stop, 2 for a wrong call."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("namespace", help="database.collection")
    parser.add_argument("file", type=Path)
    parser.add_argument("--text", default="text", help="field that is embedded (default text)")
    parser.add_argument("--id", default="_id", help="field that holds the id (default _id)")
    parser.add_argument("--dimensions", type=int, default=1024, help="of the hashing embedder (default 1024)")
    parser.add_argument("--dry-run", action="store_true", help="count the items, change nothing")
    parser.add_argument("--json", action="store_true", help="one JSON document instead of lines")
    args = parser.parse_args()
    items = read_jsonl(args.file, text=args.text, id=args.id)
    if args.dry_run:
        print(json.dumps({"items": sum(1 for _ in items)}))
        return 0
    database, _, collection = args.namespace.partition(".")
    checkpoint = places.folder() / "loading" / f"{args.namespace}.json"
    try:
        with places.client() as client:
            protocol = load(
                args.namespace,
                items,
                HashingEmbedder(args.dimensions),
                checkpoint=checkpoint,
                progress=None if args.json else show,
            )
            report = drive(protocol, engine_for(client[database][collection]))
    except AtlasRagError as error:
        print(error, file=sys.stderr)
        return 1
    print(json.dumps(report.to_dict()) if args.json else report)
    return 1 if report.failures else 0


def show(loading: Loading) -> None:
    """One changing line on a terminal, plain lines elsewhere."""
    line = f"{loading.read} read, {loading.written} written, {loading.failed} failed"
    print(
        f"\r\033[K{line}" if sys.stderr.isatty() else line,
        end="" if sys.stderr.isatty() else "\n",
        file=sys.stderr,
    )


if __name__ == "__main__":
    sys.exit(main())
