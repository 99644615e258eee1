"""The body of a `$vectorSearch` stage, read into values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from atlas_rag import grammar
from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index.values import Vector, read_vector, sound_vector


class VectorQuery(NamedTuple):
    """One question, by a vector or by a text to embed.

    `candidates` is None for an exact one; filters are None where there are none.
    """

    path: str
    vector: Vector | None
    text: str
    model: str | None
    limit: int
    candidates: int | None
    filter: Mapping[str, Any] | None
    parent_filter: Mapping[str, Any] | None
    score_mode: str | None
    stored_source: bool

    @classmethod
    def read(cls, body: Mapping[str, Any]) -> VectorQuery:
        """Reads the stage's document.

        Raises:
            EngineRefusal: the engine's parser refuses it.
        """
        problems = grammar.vector_search_problems(body)
        if problems:
            raise EngineRefusal(problems[0])
        value = body.get("queryVector")
        vector = sound_vector(value) if type(value) is list else read_vector(value)
        asked = body.get("query")
        nested = body.get("nestedOptions")
        return cls(
            path=body["path"],
            vector=vector,
            text=asked if isinstance(asked, str) else (asked or {}).get("text") or "",
            model=body.get("model"),
            limit=int(body["limit"]),
            candidates=None if body.get("exact") else int(body["numCandidates"]),
            filter=body.get("filter"),
            parent_filter=body.get("parentFilter"),
            score_mode=None if nested is None else nested.get("scoreMode") or "max",
            stored_source=bool(body.get("returnStoredSource")),
        )
