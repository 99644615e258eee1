"""Where things are in the repository."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "tests" / "data"
ORACLE = DATA / "oracle"
"""Recorded answers of the real engine."""
