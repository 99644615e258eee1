"""Hits to a prompt block: budget, formatter, citations."""

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
