"""Work in steps: how many lines of Python run, so that a test can say "proportional" without a clock."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def steps_of(work: Callable[[], Any]) -> int:
    """Counts the lines of Python that a call runs; what it raises counts as its end."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event in ("line", "call")
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    except Exception:  # a refusal is an answer, too
        return count
    finally:
        sys.settrace(before)
    return count
