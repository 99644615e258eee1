"""`hasRoot`: conditions on the whole document that the embedded one lies in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages.operators.operator import Operator, nestable, read_operator
from atlas_rag.stages.operators.score import JoinScore
from atlas_rag.stages.spelling import Read, spelled_class


@spelled_class
class HasRoot(Operator):
    """Matches embedded documents of a whole document that the operator matches.

    Only below `return_scope` or inside `EmbeddedDocument`.

    Args:
        operator: what the whole document must match.
        score: changes what the document's score adds.

    Needs: server 8.2. Source: MongoDB documentation, hasRoot.
    """

    label: ClassVar[str] = "hasRoot"

    operator: Annotated[Operator, nestable, Read(read_operator)]
    score: JoinScore = None
