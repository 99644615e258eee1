"""`hasAncestor`: conditions on a document that the embedded one lies in."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages.operators.common import PlainPath
from atlas_rag.stages.operators.operator import Operator, nestable, read_operator
from atlas_rag.stages.operators.score import JoinScore
from atlas_rag.stages.spelling import Read, spelled_class


@spelled_class
class HasAncestor(Operator):
    """Matches embedded documents that lie in one that the operator matches.

    Only below `return_scope` or inside `EmbeddedDocument`.

    Args:
        ancestor_path: an `embeddedDocuments` path above the current level.
        operator: what the ancestor must match; its paths lie below `ancestor_path`.
        score: changes what the ancestor's score adds.

    Needs: server 8.2; the ancestor mapped as `embeddedDocuments`. Source: MongoDB documentation, hasAncestor.
    """

    label: ClassVar[str] = "hasAncestor"

    ancestor_path: PlainPath
    operator: Annotated[Operator, nestable, Read(read_operator)]
    score: JoinScore = None
