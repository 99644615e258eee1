"""What a collection depends on: two collections with the same fingerprint can be exchanged."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from bson import json_util

from atlas_rag.tuning.collect.collect import Request

LONG = 16
"""Lists of more numbers than this are vectors: their digest stands for them."""


def fingerprint(request: Request, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object that tells collections apart.

    The stages are those of the first query, so that a change of any option shows.

    Args:
        facts: what else the ranking depends on and cannot be seen here: index definitions, the server's
            release, the embedding model.
    """
    first = request.queries[0] if request.queries else None
    stages = {name: build(first) for name, build in sorted(request.pipelines.items())} if first else {}
    return {
        "collection": request.collection,
        "depth": request.depth,
        "pipelines": _readable(stages),
        "facts": {name: _readable(fact) for name, fact in sorted(facts.items())},
    }


def digest(value: Any) -> str:
    """Sixteen hexadecimal digits of the SHA-256 of the value's Extended JSON with sorted keys."""
    text = json.dumps(json.loads(json_util.dumps(value)), sort_keys=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def _readable(value: Any) -> Any:
    """JSON values as they are, vectors by digest, everything else as Extended JSON."""
    if isinstance(value, Mapping):
        return {str(name): _readable(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        if len(value) > LONG and all(isinstance(number, (int, float)) for number in value):
            return f"{len(value)} numbers, {digest(list(value))}"
        return [_readable(inner) for inner in value]
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return json.loads(json_util.dumps(value))
