"""`$vectorSearch`: nearest neighbours of a query vector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.search_options import NodePreference
from atlas_rag.stages.spelling import Read, spelled_class
from atlas_rag.stages.stage import WireStage
from atlas_rag.stages.vector_query import VectorQuery


@spelled_class
class VectorSearch(VectorQuery, WireStage):
    """Finds the documents whose vector at `path` is nearest to `query_vector`; must be the first stage.

    Args:
        index: name of a vectorSearch index; there is no default, a wrong name returns nothing.
        path: dotted path of a `vector` field of that index, or of an `autoEmbed` field for `query`.
        query_vector: as `as_vector` makes it, as many dimensions as the index; a vector or a `query`.
        query: a text that the deployment embeds itself; server 8.2 with automated embedding.
        model: another model for `query`, compatible with the index's; default the index's.
        limit: documents returned, ≥ 1; at most `num_candidates`.
        num_candidates: neighbours visited by an approximate search, 1…10 000; 20 × limit is advised.
        exact: scan every vector instead; then without `num_candidates` and `explain_options`.
        filter: in the language of `$vectorSearch` (see `atlas_rag.stages.filters`); of nested vectors, on
            their own level.
        parent_filter: the same on the whole document; for indexes with `nestedRoot`.
        nested_options: how scores of nested vectors become one; for paths below `nestedRoot`.
        explain_options: legal inside `explain` only.
        return_stored_source: answer from the index without looking documents up; server 8.2.
        search_node_preference: which search node to ask.

    Score: `{$meta: "vectorSearchScore"}`, cosine and dotProduct (1 + s)/2, euclidean 1/(1 + d²).
    Needs: server 6.0.11 / 7.0.2, `exact` 6.0.16 / 7.0.10; a vectorSearch index.
    Source: MongoDB documentation, $vectorSearch.
    """

    label: ClassVar[str] = "$vectorSearch"

    index: Annotated[str, checks.word]
    path: Annotated[str, checks.word]
    filter: Annotated[Mapping[str, Any] | None, checks.instance(dict)] = None
    parent_filter: Annotated[Mapping[str, Any] | None, checks.instance(dict)] = None
    search_node_preference: Annotated[
        NodePreference | None, checks.instance(NodePreference), Read(NodePreference.read)
    ] = None
