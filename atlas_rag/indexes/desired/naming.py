"""Names that follow from content: equal definitions share a name, different ones never do."""

from __future__ import annotations

import hashlib
import json

from atlas_rag.indexes.desired.wanted import WantedIndex

DIGITS = 8


def named_by_content(index: WantedIndex) -> WantedIndex:
    """The same index under `<stem>-<digest>`, where the digest is of type and definition.

    Formula: first 8 hex digits of SHA-256 of the canonical JSON. A name that already ends in its own digest
    stays as it is.
    """
    body = json.dumps([index.type, index.to_dict()["definition"]], sort_keys=True, separators=(",", ":"))
    digest = hashlib.sha256(body.encode()).hexdigest()[:DIGITS]
    if index.name.endswith(f"-{digest}"):
        return index
    return WantedIndex(f"{index.name}-{digest}", index.type, index.definition)
