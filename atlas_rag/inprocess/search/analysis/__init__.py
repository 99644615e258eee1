"""Analyzers: text in, terms with positions and offsets out, as the search engine makes them.

registry(custom).get("lucene.english").tokens("The Foxes' den")

charfilters/ → tokenizers/ → filters/ (with stemmers/), joined by analyzer.py;
stock.py names the chains, custom.py builds those of an index definition.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.analyzer import Analyzer
from atlas_rag.inprocess.search.analysis.registry import Registry, registry, stock_names
from atlas_rag.inprocess.search.analysis.token import Token
from atlas_rag.inprocess.search.analysis.unsupported import UNSUPPORTED

__all__ = ["UNSUPPORTED", "Analyzer", "Registry", "Token", "registry", "stock_names"]
