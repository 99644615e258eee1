"""`$rerank`: orders the first documents of a pipeline by a model on the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Read, invalid, spelled_class
from atlas_rag.stages.stage import WireStage

MAX_RERANKED = 1000


def _read_query(value: Any) -> Any:
    if not isinstance(value, Mapping) or set(value) != {"text"}:
        raise invalid("$rerank.query is not {text: …}", "{text: what to look for}")
    return value["text"]


@spelled_class
class Rerank(WireStage):
    """Keeps the first `num_docs_to_rerank` documents, ordered by relevance to the query.

    Args:
        query: what to look for.
        path: one field or several whose text is judged; each must exist in every document, or the query
            fails: set missing ones to "" before.
        num_docs_to_rerank: 1…1000.
        model: such as `rerank-2.5`; default the deployment's newest.

    Score: `{$meta: "score"}`.
    Needs: server 8.3 on Atlas, enabled in the project's settings. Source: MongoDB documentation, $rerank.
    """

    label: ClassVar[str] = "$rerank"

    query: Annotated[str, checks.text, Read(_read_query)]
    path: Annotated[str | tuple[str, ...], checks.texts]
    num_docs_to_rerank: Annotated[int, checks.integer(1, MAX_RERANKED)]
    model: Annotated[str | None, checks.word] = None

    def spell(self) -> dict[str, Any]:
        return {**super().spell(), "query": {"text": self.query}}
