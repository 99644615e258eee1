"""What every emulated fusion shares: the documents of several inputs brought together by `_id`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from atlas_rag.hits.mapper import DETAILS, DOCUMENT, SCORE
from atlas_rag.stages import Group, Pipeline, Project, SetFields, Sort, Stage, UnionWith

Sources: TypeAlias = Mapping[str, tuple[Sequence[Stage], Any]]
"""By input pipeline name: its stages, and the expression that is its score."""


def merged(
    parts: Mapping[str, Sequence[Stage]],
    collection: str,
    *,
    kept: Sequence[str],
    total: Any,
    details: Sequence[Mapping[str, Any]],
    tail: Sequence[Stage],
) -> list[Stage]:
    """One ranking of the documents of all inputs: the best total first, ties by `_id`, each document once.

    Args:
        parts: by name, stages that give `{document, inputs: {name: {…, value}}}`.
        kept: what of `inputs.<name>` is kept beside the value, as `<name>_<kept>`.
        total: expression of the fused score, over `<name>_value`; 0 where a document is absent.
        details: what `scoreDetails` says of each input. tail: stages on the ranked documents.
    """
    names = sorted(parts)
    first, *others = names
    union = [UnionWith({"coll": collection, "pipeline": Pipeline(parts[name]).to_list()}) for name in others]
    merge: dict[str, Any] = {"_id": "$_id", DOCUMENT: {"$first": f"${DOCUMENT}"}}
    for name in names:
        merge |= {f"{name}_{one}": {"$max": f"$inputs.{name}.{one}"} for one in kept}
        merge[f"{name}_value"] = {"$max": {"$ifNull": [f"$inputs.{name}.value", 0]}}
    return [
        *parts[first],
        *union,
        Group(merge),
        SetFields({SCORE: total}),
        Sort({SCORE: -1, "_id": 1}),
        *tail,
        Project({"_id": 0, DOCUMENT: 1, SCORE: 1, DETAILS: {"details": list(details)}}),
    ]
