"""How ranked lists become one: a value that planning, execution, hits and tuning read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal

from atlas_rag.errors import CallError, Code
from atlas_rag.fusion import NORMALIZATIONS
from atlas_rag.fusion.weights import check_weights
from atlas_rag.grammar.expressions import OPERATORS, unknown_operator
from atlas_rag.query.refusal import known_arguments, known_names, nearest, shown, unknown_name
from atlas_rag.query.threshold import ScoreKind

Method = Literal["rank", "score"]
Normalization = Literal["none", "sigmoid", "minMaxScaler"]
METHODS: tuple[Method, ...] = ("rank", "score")


@known_names
@dataclass(frozen=True, slots=True)
class Fusion:
    """A fusion of ranked lists; `Fusion.rank()` and `Fusion.score(…)` make one.

    Args:
        method: rank or score.
        weights: by input pipeline name, finite, ≥ 0; omitted means 1. A call's own weights take their place.
        normalization, expression: of a score fusion.
    """

    method: Method = "rank"
    weights: Mapping[str, float] = field(default_factory=dict, hash=False)
    normalization: Normalization = "none"
    expression: Any = field(default=None, hash=False)

    def __post_init__(self) -> None:
        for what, given, known in (
            ("method of fusion", self.method, METHODS),
            ("normalization", self.normalization, NORMALIZATIONS),
        ):
            if given not in known:
                raise unknown_name(what, given, known)
        unknown = unknown_operator(self.expression)
        if unknown is not None:
            meant = nearest(unknown, sorted(OPERATORS))
            raise CallError(
                f"The expression of the score fusion has an unknown operator {unknown!r}",
                expected="operators of aggregation expressions over $$name, or weights by input pipeline",
                next_step=f"did you mean {meant!r}?" if meant else "correct its name",
            )
        object.__setattr__(self, "weights", _weights(self.weights))

    @classmethod
    @partial(known_arguments, name="Fusion.rank")
    def rank(cls, weights: Mapping[str, float] | None = None) -> Fusion:
        """Reciprocal rank fusion, as `$rankFusion` computes it: what a score meant does not matter.

        Formula: score(d) = Σ over input pipelines of weight · 1/(60 + rank), competition ranks ("1, 1, 3").
        """
        return cls("rank", weights or {})

    @classmethod
    @partial(known_arguments, name="Fusion.score")
    def score(
        cls,
        normalization: Normalization = "sigmoid",
        combination: Literal["avg"] | Mapping[str, Any] = "avg",
        weights: Mapping[str, float] | None = None,
    ) -> Fusion:
        """Fusion of scores, as `$scoreFusion` computes it. Scores of its hits are of kind `score_fusion`.

        Formula: the mean over all N input pipelines of weight · normalised score (0 where the document is
        absent), or the expression. Under minMaxScaler the scaler runs after the weight and undoes it.

        Args:
            normalization: none, sigmoid 1/(1 + e^−s) (default), or minMaxScaler (s − min)/(max − min).
            combination: "avg"; weights by name; or an aggregation expression over `$$name`, the normalised
                score in an input pipeline, which the deployment computes.

        Raises:
            CallError: INVALID_OPTION, INVALID_WEIGHTS.
        """
        given, expression = _combination(combination, weights)
        return cls("score", given, normalization, expression)

    @property
    def kind(self) -> ScoreKind:
        """What a fused score measures."""
        return ScoreKind.RANK_FUSION if self.method == "rank" else ScoreKind.SCORE_FUSION

    def to_dict(self) -> dict[str, Any]:
        """The form that a recipe holds; `from_dict` reads it."""
        document: dict[str, Any] = {"method": self.method}
        if self.method == "score":
            document["normalization"] = self.normalization
        if self.weights:
            document["weights"] = dict(self.weights)
        if self.expression is not None:
            document["expression"] = self.expression
        return document

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Fusion:
        """Reads what `to_dict` writes.

        Raises:
            CallError: INVALID_OPTION for an unknown method or name.
        """
        given = dict(document)
        method = given.pop("method", "rank")
        if method not in METHODS:
            raise unknown_name("method of fusion", method, METHODS)
        known = ("weights",) if method == "rank" else ("weights", "normalization", "expression")
        unknown = next((name for name in given if name not in known), None)
        if unknown is not None:
            raise unknown_name(f"option of a {method} fusion", unknown, known)
        if method == "rank":
            return cls.rank(given.get("weights"))
        expression = given.get("expression", "avg")
        return cls.score(given.get("normalization", "sigmoid"), expression, given.get("weights"))

    def __str__(self) -> str:
        if self.method == "rank":
            return "rank"
        return f"score, {self.normalization}" + ("" if self.expression is None else ", expression")


def _weights(given: Any) -> dict[str, float]:
    """Weights as a fresh dictionary; their names are checked against the inputs of a retriever.

    Raises:
        CallError: INVALID_WEIGHTS for what is no mapping, and for what is no weight.
    """
    if given is not None and not isinstance(given, Mapping):
        raise CallError(
            f"The weights are {shown(given)}",
            expected="a mapping of input pipeline names to numbers of 0 or more",
            next_step="pass weights={'vector': 2.0}",
            code=Code.INVALID_WEIGHTS,
        )
    check_weights(given or {})
    return dict(given or {})


def _combination(combination: Any, weights: Mapping[str, float] | None) -> tuple[Mapping[str, float], Any]:
    """Weights and expression of what was given as a combination."""
    if combination == "avg":
        return weights or {}, None
    if not isinstance(combination, Mapping) or not combination:
        raise CallError(
            f"The combination is {combination!r}",
            expected="'avg', weights by input pipeline name, or an aggregation expression",
            next_step="leave it out for the mean",
        )
    if not any(str(name).startswith("$") for name in combination):
        return {**combination, **(weights or {})}, None
    if weights:
        raise CallError(
            "The fusion has both an expression and weights",
            expected="one of the two",
            next_step="write the weights into the expression",
            code=Code.INVALID_WEIGHTS,
        )
    return {}, dict(combination)
