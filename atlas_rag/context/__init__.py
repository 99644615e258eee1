"""Hits to a prompt block: budget, formatter, citations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atlas_rag.lazy import front_door

if TYPE_CHECKING:
    from atlas_rag.context.build import Budget, Context, Paths, build_context
    from atlas_rag.context.citations import Citation, Citations, resolve
    from atlas_rag.context.formatter import fill, render
    from atlas_rag.context.source import Source

__all__ = [
    "Budget",
    "Citation",
    "Citations",
    "Context",
    "Paths",
    "Source",
    "build_context",
    "fill",
    "render",
    "resolve",
]

__getattr__, __dir__ = front_door(
    __name__,
    {
        "build": (
            "Budget",
            "Context",
            "Paths",
            "build_context",
        ),
        "citations": (
            "Citation",
            "Citations",
            "resolve",
        ),
        "formatter": (
            "fill",
            "render",
        ),
        "source": ("Source",),
    },
)
