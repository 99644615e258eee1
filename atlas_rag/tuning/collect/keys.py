"""Digests: what an answer depends on, as one short key; and what differs between two collections."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from bson import json_util


def answer_keys(fingerprint: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Query → input pipeline → the key of its answer: a digest of all that the answer depends on."""
    shared = digest({name: value for name, value in fingerprint.items() if name != "pipelines"})
    keys: dict[str, dict[str, str]] = {}
    for pipeline, stages in fingerprint["pipelines"].items():
        # with one request for all, an answer also depends on the other input pipelines of its query
        for query in stages:
            asked = (
                {name: other[query] for name, other in fingerprint["pipelines"].items()}
                if fingerprint.get("one_request")
                else stages[query]
            )
            keys.setdefault(query, {})[pipeline] = digest([shared, asked])
    return keys


def digest(value: Any) -> str:
    """32 hexadecimal digits of the SHA-256 of the value's canonical Extended JSON.

    The order of keys counts, as it does in a `$sort`.
    """
    text = json_util.dumps(value, json_options=json_util.CANONICAL_JSON_OPTIONS)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def differences(there: Any, wanted: Any, path: str = "") -> list[str]:
    """Where two fingerprints differ, as dotted names in alphabetical order."""
    if not (isinstance(there, Mapping) and isinstance(wanted, Mapping)):
        return [] if there == wanted else [path or "fingerprint"]
    found: list[str] = []
    for name in sorted(set(there) | set(wanted)):
        inner = f"{path}.{name}" if path else str(name)
        if (name in there) != (name in wanted):
            found.append(inner)
        else:
            found += differences(there[name], wanted[name], inner)
    return found


def summary(changes: Sequence[str]) -> str:
    """Changed names in a few words: many changed queries of an input pipeline are counted, not listed."""
    queries = {
        name.split(".", 2)[2] for name in changes if name.startswith("pipelines.") and name.count(".") > 1
    }
    others = [name for name in changes if not (name.startswith("pipelines.") and name.count(".") > 1)]
    if len(queries) > 3:
        others.append(f"the stages of {len(queries)} queries")
    elif queries:
        others.append("the stages of " + ", ".join(repr(query) for query in sorted(queries)))
    return ", ".join(others)
