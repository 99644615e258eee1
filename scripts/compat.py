"""langchain-mongodb and llama-index's MongoDB store against our server: `python -m scripts.compat`.

Each runs in an environment of its own under `.venv/compat`, made on first use (about a minute each), so that
none of their many packages comes near ours. Prints what each found and what it should have found.

    python -m scripts.compat --only langchain --json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from atlas_rag.serve import serve

ROOT = Path(__file__).parents[1]
HOME = ROOT / ".venv" / "compat"

APPLES, OCEANS = ["red apple pie", "green apple salad"], ["deep ocean diving", "blue ocean water"]
EXPECTED: dict[str, dict[str, Any]] = {
    "langchain": {
        "vector": APPLES,
        "scores fall": True,
        "filtered": sorted(OCEANS),
        "text": OCEANS,
        "hybrid": ["green apple salad", "red apple pie", "blue ocean water"],
        "diverse": 2,
        "left": 0,
    },
    "llama_index": {
        "vector": APPLES,
        "filtered": sorted(OCEANS),
        "text": OCEANS,
        "hybrid": ["green apple salad", "red apple pie"],
    },
}
PACKAGES = {"langchain": "langchain-mongodb", "llama_index": "llama-index-vector-stores-mongodb"}


class Unavailable(Exception):  # noqa: N818 - a reason, told to the reader
    """The packages could not be installed."""


def main() -> int:
    """Runs and reports; returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", choices=sorted(EXPECTED), help="one of them")
    parser.add_argument("--json", action="store_true", help="print what was found as one JSON document")
    options = parser.parse_args()
    names = [options.only] if options.only else list(EXPECTED)
    found = {name: run(name) for name in names}
    if options.json:
        print(json.dumps(found))
    for name in names:
        for what, expected in EXPECTED[name].items():
            value = found[name].get(what)
            if not options.json:
                print(f"{name:12} {what:12}", "ok" if value == expected else f"{value} instead of {expected}")
    return 0 if all(found[name] == EXPECTED[name] for name in names) else 1


def run(name: str) -> dict[str, Any]:
    """Returns what one library found. Raises `Unavailable`, and CalledProcessError where it failed."""
    script = ROOT / "scripts" / "compatibility" / f"{name}_stores.py"
    with serve() as uri:
        ran = subprocess.run(
            [environment(name), script, uri], capture_output=True, text=True, timeout=300, check=False
        )
    if ran.returncode:
        raise RuntimeError(f"{name} failed:\n{ran.stderr[-3000:]}")
    result: dict[str, Any] = json.loads(ran.stdout)
    return result


def environment(name: str) -> Path:
    """Returns the interpreter of a library's environment, made on first use."""
    folder = HOME / name
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if not (folder / "complete").exists():
        venv.create(folder, with_pip=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGES[name]]
        done = subprocess.run(install, capture_output=True, text=True, timeout=900, check=False)
        if done.returncode:
            raise Unavailable(f"{PACKAGES[name]} could not be installed: {done.stderr[-500:]}")
        (folder / "complete").touch()
    return python


if __name__ == "__main__":
    sys.exit(main())
