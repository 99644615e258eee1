"""From a name to an analyzer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.analysis.analyzer import Analyzer
from atlas_rag.inprocess.search.analysis.stock import STOCK
from atlas_rag.inprocess.search.analysis.unsupported import UNSUPPORTED

_STOCK = {f"lucene.{name}": make for name, make in STOCK.items()}


class Registry:
    """The analyzers that one index definition can name: the stock ones and its own.

    Args:
        custom: the definition's `analyzers`, known to be well formed.
    """

    def __init__(self, custom: Sequence[Mapping[str, Any]] = ()) -> None:
        self._definitions = {str(definition["name"]): definition for definition in custom}
        self._made: dict[str, Analyzer] = {}

    def __contains__(self, name: str) -> bool:
        """Whether the engine knows the name, be it supported here or not."""
        return name in self._definitions or name in _STOCK or name in UNSUPPORTED

    def supported(self, name: str) -> bool:
        """Whether `get` will answer."""
        return name in self._definitions or name in _STOCK

    def get(self, name: str) -> Analyzer:
        """The analyzer of that name, made on first use.

        Raises:
            EngineRefusal: there is no such analyzer, or it needs a dictionary that is not shipped.
        """
        if name in self._definitions:
            if name not in self._made:
                # its many parts are loaded for indexes that define analyzers of their own
                from atlas_rag.inprocess.search.analysis.custom import custom_analyzer

                self._made[name] = custom_analyzer(self._definitions[name])
            return self._made[name]
        return stock_analyzer(name)


@cache
def stock_analyzer(name: str) -> Analyzer:
    """A stock analyzer, shared by all indexes."""
    if name in UNSUPPORTED:
        raise EngineRefusal(f"analyzer {name} is not available in-process: {UNSUPPORTED[name]}")
    if name not in _STOCK:
        raise EngineRefusal(f"references non-existent analyzers: {name}")
    return _STOCK[name](name)


def registry(custom: Sequence[Mapping[str, Any]] = ()) -> Registry:
    """The analyzers known to an index with these custom ones."""
    return Registry(custom)


def stock_names() -> list[str]:
    """The stock analyzers that work in-process."""
    return sorted(_STOCK)
