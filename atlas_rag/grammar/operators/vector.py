"""`vectorSearch` and its deprecated forerunner `knnBeta`: nearest vectors, filtered by any operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Document, Int32, ListOf, Rule, field, is_array, is_number, required, within
from atlas_rag.grammar.operators.common import FIELDS
from atlas_rag.grammar.operators.nesting import NESTED
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import SCORE
from atlas_rag.grammar.vector_options import vector_document


def _one_path(query: Mapping[str, Any], at: At, found: Found) -> None:
    if is_array(query["path"]) and len(query["path"]) > 1:
        found.append(problem(at, "vectorSearch can have only one field path", "path"))


VECTOR_SEARCH: Final = vector_document(
    SCORE,
    FIELDS,
    Rule(_one_path, "path"),
    filters=(field("filter", NESTED), field("parentFilter", NESTED)),
)


class _VectorNumber:
    """An item of a `knnBeta` vector."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_number(value):
            found.append(problem(at, "must be a int32, int64, or double", "type"))


KNN_BETA: Final = Document(
    SCORE,
    FIELDS,
    required("vector", ListOf(_VectorNumber(), empty=False)),
    field("filter", NESTED),
    required("k", Int32(within(1, 2147483647))),
)
