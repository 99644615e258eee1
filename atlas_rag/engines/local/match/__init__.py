"""MQL filters, compiled once into a function that says whether a document matches."""

from atlas_rag.engines.local.match.filters import compile_filter
from atlas_rag.engines.local.match.operators import Predicate

__all__ = ["Predicate", "compile_filter"]
