"""Operators inside operators.

Each operator is one file of this package; the package fills `OPERATORS` when all are read, because operators
contain each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import Node, OneOrMany, is_document, unknown_fields
from atlas_rag.grammar.problem import At, Found, problem

OPERATORS: Final[dict[str, Node]] = {}
"""Every operator by name, in the alphabetical order in which refusals list them."""

TOP_LEVEL_ONLY: Final = frozenset({"knnBeta", "vectorSearch"})


def given_operators(document: Mapping[str, Any]) -> list[str]:
    """The operators of a document, in the order in which they are read; null counts as absent."""
    names = [name for name in document if name in OPERATORS and document[name] is not None]
    return names if len(names) < 2 else sorted(names)


def operator_list() -> str:
    """The operators as refusals print them."""
    return f"[{', '.join(OPERATORS)}]"


class NestedOperator:
    """A document that holds exactly one operator, and none that stands at the top only."""

    def check(self, value: Any, at: At, found: Found) -> None:
        if not is_document(value):
            found.append(problem(at, "must be a document", "type"))
            return
        if len(value) == 1:
            for name, body in value.items():
                if body is not None and name in OPERATORS and name not in TOP_LEVEL_ONLY:
                    OPERATORS[name].check(body, (at, name), found)
                    return
        names = given_operators(value)
        for name in names:
            if name in TOP_LEVEL_ONLY:
                text = f"{name} is not allowed to be nested"
                found.append(problem((at, name), text, "nesting"))
            else:
                OPERATORS[name].check(value[name], (at, name), found)
        if not names:
            text = f"one of {operator_list()} must be present"
            found.append(problem(at, text, "one-of", given=tuple(value), known=tuple(OPERATORS)))
        elif len(names) > 1:
            found.append(problem(at, f"only one of {operator_list()} may be present", "one-of"))
        if not value.keys() <= OPERATORS.keys():
            found.append(unknown_fields(value, OPERATORS.keys(), at))


NESTED: Final = NestedOperator()
CLAUSES: Final = OneOrMany(NESTED)
