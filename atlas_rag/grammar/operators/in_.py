"""`in`: one of several values of one type."""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.kit import Document, is_array, nullable
from atlas_rag.grammar.literals import IN_LIST, NOT_NULL
from atlas_rag.grammar.operators.common import DOES_NOT_AFFECT, FIELDS
from atlas_rag.grammar.problem import At, Found
from atlas_rag.grammar.scores import SCORE


class _Values:
    """A value or an array of values; null is named as the type that is not allowed."""

    def check(self, value: Any, at: At, found: Found) -> None:
        (IN_LIST if is_array(value) else NOT_NULL).check(value, at, found)


IN: Final = Document(SCORE, FIELDS, nullable("value", _Values()), DOES_NOT_AFFECT)
