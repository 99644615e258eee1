"""`embeddedDocument`: conditions that one and the same embedded document meets."""

from __future__ import annotations

from typing import Annotated, ClassVar

from atlas_rag.stages.operators.common import PlainPath
from atlas_rag.stages.operators.operator import Operator, nestable, read_operator
from atlas_rag.stages.operators.score import JoinScore
from atlas_rag.stages.spelling import Read, spelled_class


@spelled_class
class EmbeddedDocument(Operator):
    """Matches documents with an element of an array of documents that the operator matches.

    Args:
        path: the array.
        operator: what one element must match; its paths are whole paths, below `path`.
        score: `Embedded` says how the scores of several elements become one (default: their sum).

    Needs: the path mapped as `embeddedDocuments`. Source: MongoDB documentation, embeddedDocument.
    """

    label: ClassVar[str] = "embeddedDocument"

    path: PlainPath
    operator: Annotated[Operator, nestable, Read(read_operator)]
    score: JoinScore = None
