"""`$rerank`: orders the first documents of a pipeline by a model that the deployment was given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.models import Models, asked
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.search.fusion_stages.arguments import ANY, checked_fields
from atlas_rag.inprocess.search.vector_index.paths import values_at

NAME = "$rerank"
_MOST = 1000
_KINDS = {"query": "object", "path": ANY, "numDocsToRerank": ANY, "model": "string"}


@stage(NAME, in_facet=False, in_update=False)
def rerank(argument: Any, build: Build) -> Run:
    """The first documents, best first by the model's score; the others are dropped.

    Raises:
        CommandError: 40324 where no reranker was given, as on a server without the stage; 9, 14, 2, 40414
            and 40415 for arguments.
        EngineRefusal: the model was not given or fails; a document lacks a path.
    """
    models: Models = build.context.models
    if not models.rerankers:
        raise CommandError(40324, f"Unrecognized pipeline stage name: '{NAME}'")
    fields = checked_fields(NAME, argument, _KINDS, ("query", "path", "numDocsToRerank"))
    query = checked_fields(f"{NAME}.query", fields["query"], {"text": "string"}, ("text",))["text"]
    paths, most = _paths(fields["path"]), _count(fields["numDocsToRerank"])
    name = fields.get("model", models.rerankers[-1])
    reranker = models.reranker(name)
    build.forget_metadata()
    build.add_metadata("score", "sortKey")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        candidates = list(islice(rows, most))
        if not candidates:
            return
        texts = [_text(row.doc, paths) for row in candidates]
        scored = [(int(at), float(score)) for at, score in asked(name, reranker.rerank, query, texts)]
        for at, score in sorted(scored, key=lambda pair: (-pair[1], pair[0])):
            yield Row(candidates[at].doc, {"score": score, "sortKey": [score]})

    return run


def _paths(given: Any) -> Sequence[str]:
    paths = given if isinstance(given, list) else [given]
    if not paths or not all(isinstance(path, str) and path for path in paths):
        raise CommandError(14, f"BSON field '{NAME}.path' must be a string or an array of strings")
    return paths


def _count(given: Any) -> int:
    if not is_number(given):
        raise CommandError(14, f"BSON field '{NAME}.numDocsToRerank' must be a number")
    count = to_float(given)
    if not (1 <= count <= _MOST and count == int(count)):
        raise CommandError(2, f"BSON field '{NAME}.numDocsToRerank' must be a whole number from 1 to {_MOST}")
    return int(count)


def _text(document: Mapping[str, Any], paths: Sequence[str]) -> str:
    """What the model reads of a document: the values at all paths, each of which must be there."""
    parts: list[str] = []
    for path in paths:
        values = list(values_at(document, path))
        if not values:
            raise EngineRefusal(f"{NAME}: a document has no field {path}; set it to an empty string before")
        for value in values:
            parts += [str(item) for item in (value if isinstance(value, list) else [value])]
    return "\n".join(parts)
