"""`vectorSearch` as an operator: nearest vectors of a search index, filtered by any operator before."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators.operator import Operator, nestable, read_operator
from atlas_rag.stages.operators.paths import read_field_path
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, spelled_class
from atlas_rag.stages.vector_query import VectorQuery


def _read_path(value: Any) -> Any:
    path = read_field_path(value)
    return path[0] if isinstance(path, tuple) and len(path) == 1 else path


@spelled_class
class VectorSearchOperator(VectorQuery, Operator):
    """Finds nearest vectors among the documents that a search operator lets through (lexical prefilter).

    At the top of `$search` only; without sort, paging, highlights and tracking, and not under facets.

    Args:
        path: one `vector` field of the search index.
        filter: any operator that may be nested.
        parent_filter: the same on the documents that nested vectors lie in.
        score: read by the engine; a boost was measured to have no effect.

    The other options are those of `VectorSearch`.
    Needs: a search index with a `vector` field; a search engine of 2026. `VectorSearch` cannot read it.
    Source: MongoDB documentation, vectorSearch operator.
    """

    label: ClassVar[str] = "vectorSearch"
    nestable: ClassVar[bool] = False

    path: Annotated[str, checks.word, Read(_read_path)]
    filter: Annotated[Operator | None, nestable, Read(read_operator)] = None
    parent_filter: Annotated[Operator | None, nestable, Read(read_operator)] = None
    score: ScoreField = None
