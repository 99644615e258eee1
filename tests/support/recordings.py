"""Answers recorded from the real engine, carried under `tests/data/oracle`.

Documents, definitions and queries are this project's own; what they were answered with was measured. They
are compared with, never looked up by the library.
"""

from __future__ import annotations

import functools
import gzip
from typing import Any

from bson import json_util

from tests.support.places import ORACLE

DATA = ORACLE


@functools.cache
def engine(name: str) -> dict[str, Any]:
    """One recording of the search engine: `definition`, `type`, `docs` and `cases` of `kind`, `q`, `out`."""
    with gzip.open(DATA / "engine" / f"{name}.json.gz", "rt", encoding="utf-8") as packed:
        recording: dict[str, Any] = json_util.loads(packed.read())
    return recording
