"""MQL filters, compiled once into a function that says whether a document matches."""

from atlas_rag.inprocess.mql.match.filters import compile_filter
from atlas_rag.inprocess.mql.match.operators import Predicate

__all__ = ["Predicate", "compile_filter"]
