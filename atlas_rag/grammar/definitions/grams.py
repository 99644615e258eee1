"""N-gram sizes, shared by tokenizers and token filters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import NOT_NEGATIVE, Int32, Rule, required
from atlas_rag.grammar.problem import At, Found, problem


def ordered(low: str, high: str) -> Rule:
    """The value of one field must not be greater than that of another, where both are given."""

    def rule(definition: Mapping[str, Any], at: At, found: Found) -> None:
        least, most = definition.get(low), definition.get(high)
        if least is not None and most is not None and least > most:
            found.append(problem(at, f"{low} must not be greater than {high}", "bounds"))

    return Rule(rule, low, high)


GRAMS: Final = (
    required("minGram", Int32(NOT_NEGATIVE)),
    required("maxGram", Int32(NOT_NEGATIVE)),
)
GRAMS_ORDERED: Final = ordered("minGram", "maxGram")
