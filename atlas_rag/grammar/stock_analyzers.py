"""Analyzers that the engine brings with it."""

from __future__ import annotations

from typing import Final

STOCK_ANALYZERS: Final = frozenset(
    f"lucene.{name}"
    for name in (
        "arabic", "armenian", "basque", "bengali", "brazilian", "bulgarian", "catalan", "chinese", "cjk",
        "czech", "danish", "dutch", "english", "finnish", "french", "galician", "german", "greek", "hindi",
        "hungarian", "indonesian", "irish", "italian", "japanese", "keyword", "korean", "kuromoji", "latvian",
        "lithuanian", "morfologik", "nori", "norwegian", "persian", "polish", "portuguese", "romanian",
        "russian", "simple", "smartcn", "sorani", "spanish", "standard", "stop", "swedish", "thai", "turkish",
        "ukrainian", "whitespace",
    )
)  # fmt: skip
"""Analyzers that need no definition."""
