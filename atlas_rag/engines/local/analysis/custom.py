"""From a custom analyzer's definition to its chain."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..refusals import EngineRefusal
from .analyzer import Analyzer


def custom_analyzer(definition: Mapping[str, Any]) -> Analyzer:
    raise EngineRefusal(f"analyzer {definition['name']} not yet")
