"""`numPartitions`: how many Lucene indexes one index is split into."""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.kit import Int32, field
from atlas_rag.grammar.problem import At, Found, problem

PARTITIONS: Final = (1, 2, 4, 8, 16, 32, 64)


class _Partitions(Int32):
    """A power of two up to 64."""

    def check(self, value: Any, at: At, found: Found) -> None:
        before = len(found)
        super().check(value, at, found)
        if len(found) == before and value not in PARTITIONS:
            *most, last = PARTITIONS
            allowed = f"{', '.join(map(str, most))}, or {last}"
            text = f"numPartitions {int(value)} must be of {allowed}."
            found.append(problem(at, text, "bounds"))


NUM_PARTITIONS: Final = field("numPartitions", _Partitions())
