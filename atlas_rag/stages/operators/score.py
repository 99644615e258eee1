"""Score options: what becomes of an operator's relevance. Exactly one per operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.spelling import Read, Spelled, invalid, spelled_class


class ScoreOption(Spelled):
    """Base of the score options; `label` is the key under `score`."""

    __slots__ = ()
    label: ClassVar[str]

    def spell(self) -> dict[str, Any]:
        return {self.label: super().spell()}


@spelled_class
class Boost(ScoreOption):
    """Multiplies the score by a number, or by the number stored at a path.

    Args:
        value: factor, finite and > 0 as float32.
        path: a `number` field; one value per document.
        undefined: factor where the path holds no single number; default 0; only with `path`.
    """

    label: ClassVar[str] = "boost"

    value: Annotated[float | None, checks.positive] = None
    path: Annotated[str | None, checks.text] = None
    undefined: Annotated[float | None, checks.number()] = None

    def validate(self) -> None:
        if (self.value is None) == (self.path is None):
            raise invalid("score.boost has not exactly one of value and path", "one of the two")
        if self.undefined is not None and self.path is None:
            raise invalid("score.boost has undefined without path", "undefined beside path")


@spelled_class
class Constant(ScoreOption):
    """Gives every match this score.

    Args:
        value: finite, ≥ 0.
    """

    label: ClassVar[str] = "constant"

    value: Annotated[float, checks.not_negative]


_OPTIONS: dict[str, type[ScoreOption]] = {"boost": Boost, "constant": Constant}


def read_score(document: Any) -> ScoreOption:
    """Reads the document under `score`."""
    if not isinstance(document, Mapping) or len(document) != 1:
        raise invalid("score has not exactly one option", f"one of {', '.join(_OPTIONS)}")
    name, body = next(iter(document.items()))
    if name not in _OPTIONS:
        raise invalid(f"Unknown score option {name!r}", f"one of {', '.join(_OPTIONS)}")
    return _OPTIONS[name].read(body)


ScoreField: TypeAlias = Annotated[ScoreOption | None, checks.instance(ScoreOption), Read(read_score)]
"""The type of the `score` option that every operator has."""
