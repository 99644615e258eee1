"""What an index cannot decide of one comparison, in words and as the line that would help."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

POSTFILTER = "ask with filter_policy='postfilter', which filters what the search returns"


@dataclass(frozen=True, slots=True)
class Undecided:
    """A comparison that an index cannot decide as `Filter` means it.

    Args:
        path: the path compared.
        has: what the index has there, in words.
        line: the JSON to add to the definition (`mappings.fields` of a search index, `fields` of a
            vectorSearch index); "" where no definition helps.
        loose: the index finds every document that the filter means and may find a few more, so that a
            filter after it makes the answer exact and only depth can be lost.
    """

    path: str
    has: str
    line: str = ""
    loose: bool = False

    @property
    def next_step(self) -> str:
        """What to do about it."""
        return f"add {self.line} to the index definition, or {POSTFILTER}" if self.line else POSTFILTER


def line(part: Mapping[str, Any]) -> str:
    """A part of a definition as it is written there."""
    return json.dumps(part, default=str)
