"""`near`: the closer to a number, date or place, the higher the score."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from atlas_rag.stages import checks
from atlas_rag.stages.operators import literals
from atlas_rag.stages.operators.common import FieldPath
from atlas_rag.stages.operators.geometry import Point, read_geometry
from atlas_rag.stages.operators.operator import Operator
from atlas_rag.stages.operators.score import ScoreField
from atlas_rag.stages.spelling import Read, invalid, spelled_class


def _origin(value: Any, name: str) -> None:
    if not isinstance(value, Point):
        if literals.kind_of(value) not in ("number", "date"):
            raise invalid(f"{name} is a {type(value).__name__}", "a number, a datetime or a Point")
        literals.bound(value, name)


def _read_origin(value: Any) -> Any:
    return read_geometry(value) if isinstance(value, dict) else value


@spelled_class
class Near(Operator):
    """Matches documents that have the field, and scores them by distance.

    Formula: score = pivot / (pivot + distance); over several paths the scores add.

    Args:
        path: one path or several.
        origin: where distance is 0: a number, a datetime or a `Point`.
        pivot: the distance at which the score is 1/2, > 0; in the number's unit, milliseconds or metres.
        score: boost or replace the distance score.

    Needs: the paths mapped as `number`, `date` or `geo`. An array of numbers or dates never matches.
    Source: MongoDB documentation, near.
    """

    label: ClassVar[str] = "near"

    path: FieldPath
    origin: Annotated[Any, _origin, Read(_read_origin)]
    pivot: Annotated[float, checks.positive]
    score: ScoreField = None
