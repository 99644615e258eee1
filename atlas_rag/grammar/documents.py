"""The five documents that the engine parses, and what is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.grammar.create import check_search_index, check_vector_index
from atlas_rag.grammar.definitions import SEARCH_INDEX, VECTOR_INDEX
from atlas_rag.grammar.kit import Node
from atlas_rag.grammar.problem import Found, Problem
from atlas_rag.grammar.search import SEARCH_META_STAGE, SEARCH_STAGE
from atlas_rag.grammar.vector_search import VECTOR_SEARCH_STAGE

DOCUMENTS: dict[str, Node] = {
    "search": SEARCH_STAGE,
    "searchMeta": SEARCH_META_STAGE,
    "vectorSearch": VECTOR_SEARCH_STAGE,
    "searchIndex": SEARCH_INDEX,
    "vectorIndex": VECTOR_INDEX,
}
"""The five documents that the engine parses."""

VECTOR_SEARCH_FIELDS: frozenset[str] = VECTOR_SEARCH_STAGE.names
"""What `$vectorSearch` may hold."""


def problems(what: str, document: Any) -> list[Problem]:
    """Everything that is wrong with a document, in the engine's order.

    Args:
        what: `search`, `searchMeta`, `vectorSearch`, `searchIndex` or `vectorIndex`.
        document: the body of the stage, or the `definition` of the index.
    """
    found: Found = []
    DOCUMENTS[what].check(document, None, found)
    return found


def search_problems(body: Any) -> list[str]:
    """What the engine says about the body of `$search`."""
    return _messages("search", body)


def search_meta_problems(body: Any) -> list[str]:
    """What the engine says about the body of `$searchMeta`."""
    return _messages("searchMeta", body)


def vector_search_problems(body: Any) -> list[str]:
    """What the engine says about the body of `$vectorSearch`."""
    return _messages("vectorSearch", body)


def search_index_problems(definition: Any) -> list[str]:
    """What the engine says about the definition of an index of type `search`."""
    return _messages("searchIndex", definition)


def vector_index_problems(definition: Any) -> list[str]:
    """What the engine says about the definition of an index of type `vectorSearch`."""
    return _messages("vectorIndex", definition)


def create_problems(definition: Mapping[str, Any], *, vector: bool = False) -> list[Problem]:
    """What index creation refuses in a definition that the parser accepts.

    Args:
        definition: a sound definition.
        vector: whether it is of type `vectorSearch`.
    """
    found: Found = []
    (check_vector_index if vector else check_search_index)(definition, found)
    return found


def _messages(what: str, document: Any) -> list[str]:
    return [problem.message for problem in problems(what, document)]
