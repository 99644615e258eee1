"""`embeddedDocument`, `hasAncestor`, `hasRoot`: operators on other levels of nested documents.

Which paths an operator may use inside them is checked in `scopes`.
"""

from __future__ import annotations

from typing import Final

from atlas_rag.grammar.kit import Document, Rule, Text, required
from atlas_rag.grammar.operators.nesting import NESTED
from atlas_rag.grammar.scopes import children_below_path
from atlas_rag.grammar.scores import EMBEDDED_SCORE

_OPERATOR: Final = required("operator", NESTED)

EMBEDDED_DOCUMENT: Final = Document(
    required("path", Text(empty=False)),
    _OPERATOR,
    EMBEDDED_SCORE,
    Rule(children_below_path, "path", "operator"),
)
HAS_ANCESTOR: Final = Document(EMBEDDED_SCORE, required("ancestorPath", Text()), _OPERATOR)
HAS_ROOT: Final = Document(EMBEDDED_SCORE, _OPERATOR)
