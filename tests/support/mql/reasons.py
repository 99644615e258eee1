"""Differences from the 6.0.5 server that are known and meant to stay, each with its reason."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.support.mql.parity import Failure, Outcome, typed

_NUMBERED_TWICE = {(17310, 17046), (17311, 17042)}
_SERVER_FAULTS = {
    16746: "the server sorts groups by a document it made itself, and trips over a field named 0 in it",
    4822806: "the server's newer group engine cannot name the same field twice in one expression",
}


def known(kind: str, pipeline: list[Any], ours: Outcome, theirs: Outcome) -> str | None:
    """Returns the reason for a difference, None if it is not a known one."""
    if kind == "field order" and len(pipeline) > 1:
        return "the server puts a field that was removed and set again into its old place"
    if isinstance(ours, Failure) and ours.code == 115 and "dates beyond" in ours.message:
        return "dates beyond the years 1 to 9999 have no parts here"
    if isinstance(theirs, Failure) and theirs.code in _SERVER_FAULTS:
        return _SERVER_FAULTS[theirs.code]
    if isinstance(theirs, Failure) and theirs.code == 2 and theirs.message.startswith("Failed to optimize"):
        return "the server cannot read back a filter that it rewrote"
    if kind == "documents" and _lost_a_second(ours, theirs):
        return "the server's $dateAdd loses a second of dates before 1970 that have milliseconds"
    if (
        isinstance(ours, Failure)
        and isinstance(theirs, Failure)
        and (ours.code, theirs.code) in _NUMBERED_TWICE
    ):
        return "the server has two numbers for this refusal, and takes another one in $match"
    return None


def _lost_a_second(ours: Any, theirs: Any) -> bool:
    """True if the answers are equal but for dates before 1970 that are one second apart."""
    if isinstance(ours, datetime) and isinstance(theirs, datetime):
        return ours == theirs or (ours - theirs == timedelta(seconds=1) and theirs.year < 1970)
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(_lost_a_second(ours[name], theirs[name]) for name in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_lost_a_second, ours, theirs))
    return typed(ours) == typed(theirs)
