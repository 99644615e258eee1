"""What a collection depends on, by content: answers with the same key can be exchanged, no others."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bson import json_util

from atlas_rag.tuning.collect.collect import Request
from atlas_rag.tuning.collect.keys import digest

LONG = 16
"""Lists of more numbers than this are vectors: their digest stands for them."""


def fingerprint(request: Request, facts: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object that tells collections apart; it holds no text and no vector of a query.

    Every query's own stages count, by input pipeline: a changed text, vector or option shows at the query
    that it changes, and only that query is asked again.

    Args:
        facts: what else every ranking depends on and cannot be seen here: digests of documents and vectors,
            index definitions, the server's release, the embedding model.
    """
    return {
        "collection": request.collection,
        "depth": request.depth,
        "one_request": request.one_request,
        "facts": {name: _readable(fact) for name, fact in sorted(facts.items())},
        "pipelines": {
            name: {query.id: digest(build(query)) for query in request.queries}
            for name, build in sorted(request.pipelines.items())
        },
    }


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
