"""The operators of `$search`, one file each (or a file for a close pair)."""

from atlas_rag.grammar.kit import Node
from atlas_rag.grammar.operators.autocomplete import AUTOCOMPLETE
from atlas_rag.grammar.operators.compound import COMPOUND
from atlas_rag.grammar.operators.equals import EQUALS
from atlas_rag.grammar.operators.exists import EXISTS
from atlas_rag.grammar.operators.geo import GEO_SHAPE, GEO_WITHIN
from atlas_rag.grammar.operators.in_ import IN
from atlas_rag.grammar.operators.joins import EMBEDDED_DOCUMENT, HAS_ANCESTOR, HAS_ROOT
from atlas_rag.grammar.operators.legacy import SEARCH, SPAN, TERM
from atlas_rag.grammar.operators.more_like_this import MORE_LIKE_THIS
from atlas_rag.grammar.operators.near import NEAR
from atlas_rag.grammar.operators.nesting import OPERATORS
from atlas_rag.grammar.operators.patterns import REGEX, WILDCARD
from atlas_rag.grammar.operators.phrase import PHRASE
from atlas_rag.grammar.operators.query_string import QUERY_STRING
from atlas_rag.grammar.operators.range_ import RANGE
from atlas_rag.grammar.operators.text import TEXT
from atlas_rag.grammar.operators.vector import KNN_BETA, VECTOR_SEARCH

_BY_NAME: dict[str, Node] = {
    "autocomplete": AUTOCOMPLETE,
    "compound": COMPOUND,
    "embeddedDocument": EMBEDDED_DOCUMENT,
    "equals": EQUALS,
    "exists": EXISTS,
    "geoShape": GEO_SHAPE,
    "geoWithin": GEO_WITHIN,
    "hasAncestor": HAS_ANCESTOR,
    "hasRoot": HAS_ROOT,
    "in": IN,
    "knnBeta": KNN_BETA,
    "moreLikeThis": MORE_LIKE_THIS,
    "near": NEAR,
    "phrase": PHRASE,
    "queryString": QUERY_STRING,
    "range": RANGE,
    "regex": REGEX,
    "search": SEARCH,
    "span": SPAN,
    "term": TERM,
    "text": TEXT,
    "vectorSearch": VECTOR_SEARCH,
    "wildcard": WILDCARD,
}

OPERATORS.update(_BY_NAME)

DEPRECATED = frozenset({"knnBeta", "search", "span", "term"})
"""Operators that the engine still reads and its documentation no longer offers."""

__all__ = ["DEPRECATED", "OPERATORS"]
