"""Writes what builders spell today into the golden files; read the diff.

`python -m tests.sdk.golden.rewrite`
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bson import json_util

from tests.support.golden_cases import documents

FOLDER = Path(__file__).parent


def golden(document: Any) -> str:
    """A document as the files hold it: canonical Extended JSON, indented."""
    options = json_util.CANONICAL_JSON_OPTIONS
    return json_util.dumps(document, json_options=options, indent=2, ensure_ascii=False) + "\n"


def main() -> None:
    """Rewrites every file, and removes those of values that are no more."""
    wanted = documents()
    for path in FOLDER.glob("*.json"):
        if path.stem not in wanted:
            path.unlink()
    for name, document in wanted.items():
        (FOLDER / f"{name}.json").write_text(golden(document), encoding="utf-8")


if __name__ == "__main__":
    main()
