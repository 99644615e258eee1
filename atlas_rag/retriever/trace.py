"""What one call has done so far: how long each stage took, and what went otherwise than asked."""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from atlas_rag.plan import Cause, Note
from atlas_rag.providers import Usage
from atlas_rag.retriever.progress import ProgressCallback, Stage, StageEvent
from atlas_rag.retriever.warning import logger
from atlas_rag.wire import Call


@dataclass(slots=True)
class Trace:
    """Times and notes of one call.

    Args:
        progress: told of every stage that has ended.
    """

    progress: ProgressCallback | None = None
    stage_ms: dict[str, float] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    embedders: list[str] = field(default_factory=list)
    """Ids of the embedders that were asked."""
    usage: Usage = field(default_factory=Usage)
    """What providers counted for this call."""

    def note(self, cause: Cause, text: str, about: str = "") -> None:
        """Writes down that something went otherwise than asked."""
        self.notes.append(Note(cause, text, about))

    def ended(self, stage: Stage, started: float, count: int | None = None) -> Generator[Any, Any, None]:
        """Notes how long a stage took and tells the progress callback, whose failure is only logged."""
        seconds = time.perf_counter() - started
        self.stage_ms[stage.value] = self.stage_ms.get(stage.value, 0.0) + seconds * 1e3
        if self.progress is None:
            return
        try:
            yield Call(partial(self.progress, StageEvent(stage, seconds, count)))
        except Exception as error:  # a callback is the caller's; the query is not its to break
            logger.warning("a progress callback failed: %s", type(error).__name__)
