"""One thing that was looked at."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

State = Literal["well", "note", "ill"]
MARKS: dict[State, str] = {"well": "ok  ", "note": "note", "ill": "FAIL"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What was looked at, what was seen, and what to do where it is not well."""

    what: str
    seen: str
    state: State = "well"
    remedy: str = ""

    def __str__(self) -> str:
        line = f"{MARKS[self.state]}  {self.what:<14}{self.seen}"
        return f"{line}\n      {'':<14}{self.remedy}" if self.remedy else line

    def to_dict(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)
