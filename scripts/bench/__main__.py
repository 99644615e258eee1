"""Runs every benchmark that needs nothing but this machine: `python -m scripts.bench`."""

from __future__ import annotations

import subprocess
import sys

MODULES = (
    "foundation",
    "contract",
    "belt",
    "tuning",
    "engine.texts",
    "engine.vectors",
    "engine.stages",
    "engine.mongoeco",
    "service",
    "serve",
)


def main() -> int:
    """Each benchmark in a process of its own; the exit code counts those that failed to run."""
    failed = 0
    for name in MODULES:
        print(f"\n== python -m scripts.bench.{name}", flush=True)
        failed += subprocess.run([sys.executable, "-m", f"scripts.bench.{name}"], check=False).returncode != 0
    return failed


if __name__ == "__main__":
    sys.exit(main())
