"""Differences from the 6.0.5 server that are known and meant to stay, each with its reason."""

from __future__ import annotations

from typing import Any

from tests.property.mql.parity import Failure, Outcome

_SERVER_FAULTS = {
    16746: "the server sorts groups by a document it made itself, and trips over a field named 0 in it",
    4822806: "the server's newer group engine cannot name the same field twice in one expression",
}


def known(kind: str, pipeline: list[Any], ours: Outcome, theirs: Outcome) -> str | None:
    """Returns the reason for a difference, None if it is not a known one."""
    if kind == "field order" and len(pipeline) > 1:
        return "the server puts a field that was removed and set again into its old place"
    if isinstance(theirs, Failure) and theirs.code in _SERVER_FAULTS:
        return _SERVER_FAULTS[theirs.code]
    if isinstance(theirs, Failure) and theirs.code == 2 and theirs.message.startswith("Failed to optimize"):
        return "the server cannot read back a filter that it rewrote"
    return None
