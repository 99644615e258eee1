"""One question as the page needs it: every document that any input pipeline found, with its rank in each."""

from __future__ import annotations

from typing import Any

from atlas_rag.fusion import RANK_CONSTANT, id_order
from atlas_rag.hits import Hit
from atlas_rag.query.filter import Filter
from atlas_rag.recipes import Recipe
from atlas_rag.retriever import Result, Retriever

SHOWN = 400
"""Characters of a text that are sent to the page."""
MOST = 200
"""Documents of all input pipelines together."""


class Table:
    """A recipe on a collection, asked by the page.

    Args:
        recipe: whose input pipelines, weights and fusion are shown.
    """

    def __init__(self, recipe: Recipe, retriever: Retriever) -> None:
        self.recipe = recipe
        self._retriever = retriever

    def about(self) -> dict[str, Any]:
        """What the page shows before anything is asked."""
        setup = self._retriever.setup
        weights = self.recipe.fusion.weights
        return {
            "id": self.recipe.id,
            "namespace": setup.namespace,
            "fusion": self.recipe.fusion.method,
            "constant": RANK_CONSTANT,
            "inputs": [{"name": one.name, "weight": weights.get(one.name, 1.0)} for one in setup.inputs],
        }

    def ask(self, question: str, condition: dict[str, Any] | None, limit: int) -> dict[str, Any]:
        """The documents with their ranks and scores per input, the plan as JSON, and why there is none.

        Raises:
            AtlasRagError: whatever the retrieval meets.
        """
        store = None if not condition else Filter.from_dict(condition)
        result = self._retriever.retrieve(question, filter=store, limit=MOST, reject_window=0)
        if result.plan is None:
            return {"hits": [], "why_empty": result.why_empty, "notes": [], "route": "", "pipeline": []}
        fused = self._retriever.plan(
            self._retriever.capability(), question, vector=_vector_of(result), filter=store, limit=limit
        )
        ties = sorted(range(len(result)), key=lambda place: id_order(result[place].id))
        order = {place: tie for tie, place in enumerate(ties)}
        return {
            "hits": [self._hit(hit, order[place]) for place, hit in enumerate(result)],
            "why_empty": result.why_empty,
            "notes": list(result.evidence.notes),
            "route": result.evidence.route_reason,
            "pipeline": _readable(fused),
        }

    def _hit(self, hit: Hit, tie: int) -> dict[str, Any]:
        setup = self._retriever.setup
        said = {name: {"rank": one.rank, "raw": one.raw} for name, one in hit.contributions.items()}
        if not said and hit.score is not None:  # one input pipeline: nothing was fused
            name = next(one.name for one in setup.inputs if one.kind is hit.score.kind)
            said = {name: {"rank": hit.rank, "raw": hit.score.value}}
        return {
            "id": str(hit.id),
            "tie": tie,
            "title": _text(hit.value_at(setup.title_path)),
            "text": _text(hit.value_at(setup.text_path)),
            "said": said,
        }


def _text(value: Any) -> str:
    return value[:SHOWN] if isinstance(value, str) else ""


def _vector_of(result: Result) -> Any:
    """A vector of the right length: the plan is shown with vectors as their kind and length only."""
    dimensions = result.evidence.dimensions
    return None if dimensions is None else [1.0] * dimensions


def _readable(plan: Any) -> Any:
    from bson import json_util

    def shown(value: Any) -> str:
        return str(value) if isinstance(value, bytes) else str(json_util.default(value))

    import json

    return [json.loads(json.dumps(dict(one.body), default=shown)) for one in plan.commands()]
