"""`$score` and `$rerank`: their options."""

from __future__ import annotations

from collections.abc import Iterator

from atlas_rag.check.pipeline.fusion import BAD_VALUE, NORMALIZATIONS, WRONG_TYPE, strict
from atlas_rag.check.pipeline.walk import Pipeline, Stage
from atlas_rag.check.report import Finding
from atlas_rag.grammar.kit import is_array, is_document, is_number, is_string

MAX_RERANKED = 1000

_SCORE = frozenset({"score", "normalization", "weight", "scoreDetails"})
_RERANK = frozenset({"query", "path", "numDocsToRerank", "model"})


def scorings(pipeline: Pipeline) -> Iterator[Finding]:
    """Everything that is wrong with the `$score` and `$rerank` stages of a pipeline."""
    checks = {"$score": _score, "$rerank": _rerank}
    for stage in pipeline.stages:
        if stage.name in checks:
            if is_document(stage.body):
                yield from checks[stage.name](stage)
            else:
                text = f"{stage.name} value must be an object"
                yield Finding(stage.path, text, "type", codes=WRONG_TYPE)


def _score(stage: Stage) -> Iterator[Finding]:
    body, path = stage.body, stage.path
    yield from strict(body, _SCORE, path, required=("score",))
    normalization = body.get("normalization", "none")
    if normalization not in NORMALIZATIONS:
        text = f"normalization must be one of [{', '.join(NORMALIZATIONS)}]"
        yield Finding(f"{path}.normalization", text, "enum", codes=BAD_VALUE)
    weight = body.get("weight", 1)
    if not is_number(weight):
        yield Finding(f"{path}.weight", "weight must be a number", "type", codes=WRONG_TYPE)
    elif not 0 <= weight <= 1:
        yield Finding(f"{path}.weight", "weight must be within [0, 1]", "bounds", codes=BAD_VALUE)


def _rerank(stage: Stage) -> Iterator[Finding]:
    body, path = stage.body, stage.path
    yield from strict(body, _RERANK, path, required=("query", "path", "numDocsToRerank"))
    query = body.get("query")
    if is_document(query):
        yield from strict(query, frozenset({"text"}), f"{path}.query", required=("text",))
    elif query is not None:
        yield Finding(f"{path}.query", "query must be an object", "type", codes=WRONG_TYPE)
    paths = body.get("path")
    if paths is not None and not is_string(paths) and not (is_array(paths) and all(map(is_string, paths))):
        text = "path must be a string or an array of strings"
        yield Finding(f"{path}.path", text, "type", codes=WRONG_TYPE)
    count = body.get("numDocsToRerank")
    if count is not None and not (is_number(count) and 1 <= count <= MAX_RERANKED):
        text = f"numDocsToRerank must be within [1, {MAX_RERANKED}]"
        yield Finding(f"{path}.numDocsToRerank", text, "bounds", codes=BAD_VALUE)
