"""`near`: the closer to a number, date or point, the better."""

from __future__ import annotations

from typing import Any, Final

from atlas_rag.grammar.kit import POSITIVE, Document, Double, nullable, required
from atlas_rag.grammar.literals import COMPARABLE, kind_of
from atlas_rag.grammar.operators.common import FIELDS
from atlas_rag.grammar.problem import At, Found, problem
from atlas_rag.grammar.scores import SCORE

_MEASURABLE: Final = frozenset({"DATE", "GEO", "NUMBER"})


class _Origin:
    """A value that distances can be measured from."""

    def check(self, value: Any, at: At, found: Found) -> None:
        before = len(found)
        COMPARABLE.check(value, at, found)
        kind = kind_of(value)
        if len(found) == before and kind not in _MEASURABLE:
            found.append(problem(at, f"Unsupported type: {kind}", "type"))


NEAR: Final = Document(SCORE, FIELDS, nullable("origin", _Origin()), required("pivot", Double(POSITIVE)))
