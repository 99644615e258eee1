"""What to ask an input pipeline for, and how to read its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from atlas_rag.errors import Code, ExperimentError, ReplyError
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import ScoredRow

Stages: TypeAlias = list[dict[str, Any]]
InputPipelines: TypeAlias = Mapping[str, Callable[[ExperimentQuery], Stages]]
"""Name → function from a query to the stages of its input pipeline."""

_META = {"$search": "searchScore", "$vectorSearch": "vectorSearchScore", "$geoNear": "geoNearDistance"}


def limited(stages: Stages, depth: int) -> Stages:
    """The stages, cut after `depth` documents."""
    return [*stages, {"$limit": depth}]


def listing(stages: Stages, depth: int) -> Stages:
    """The stages as a pipeline of their own that returns ids and what they are ranked by."""
    return [*limited(stages, depth), {"$project": {"_id": 1, "key": {"$meta": ranked_by(stages)}}}]


def ranked_by(stages: Stages) -> str:
    """The metadata that an input pipeline ranks by, as the server decides it.

    Raises:
        ExperimentError: a pipeline that does not rank (7107).
    """
    names = [next(iter(stage)) for stage in stages]
    if "$sort" in names:
        return "sortKey"
    if "$score" in names:
        return "score"
    if names and names[0] in _META and "sort" not in stages[0][names[0]]:
        return _META[names[0]]
    raise ExperimentError(
        f"an input pipeline with the stages {names} has no score or sort key to rank by",
        expected="$search (without a sort of its own), $vectorSearch or $geoNear first, or a $sort or $score",
        next_step="start it with one of these",
        code=Code.INVALID_PIPELINE,
    )


def scored_rows(documents: Sequence[Mapping[str, Any]], stages: Stages) -> list[ScoredRow]:
    """(id, score) rows of an answer to `listing`; higher is better.

    Distances are negated. Rows that are ranked by a sort get -rank, equal keys the same.
    """
    by = ranked_by(stages)
    keys = [_field(document, "key") for document in documents]
    ids = [_field(document, "_id") for document in documents]
    if by == "sortKey":
        keys = _minus_ranks(keys)
    elif by == "geoNearDistance":
        keys = [-float(key) for key in keys]
    return [(identity, float(key)) for identity, key in zip(ids, keys, strict=True)]


def detailed_rows(documents: Sequence[Mapping[str, Any]]) -> dict[str, list[ScoredRow]]:
    """Rows of every input pipeline from one `$rankFusion` whose `scoreDetails` are in `details`."""
    found: dict[str, list[tuple[int, Any, float]]] = {}
    for document in documents:
        for entry in _field(_field(document, "details"), "details"):
            rank = entry.get("rank")
            if isinstance(rank, int) and rank >= 1:  # "NA", and 0 from older servers, mean absent
                rows = found.setdefault(_field(entry, "inputPipelineName"), [])
                rows.append((rank, document["_id"], float(entry.get("value", -rank))))
    return {
        name: [(identity, score) for _, identity, score in sorted(rows, key=lambda row: row[0])]
        for name, rows in found.items()
    }


def _field(document: Mapping[str, Any], name: str) -> Any:
    if name not in document:
        raise ReplyError(
            f"a row of the answer has no {name!r} but {sorted(document)}",
            expected="an id and the metadata that was asked for",
            next_step="check that the deployment supports this metadata",
        )
    return document[name]


def _minus_ranks(keys: Sequence[Any]) -> list[float]:
    ranks: list[float] = []
    for place, key in enumerate(keys):
        same = place > 0 and key == keys[place - 1]
        ranks.append(ranks[-1] if same else -float(place + 1))
    return ranks
