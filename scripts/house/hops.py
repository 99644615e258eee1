"""Where a value is in hand, from `retrieve` to the wire and back: one retrieval, every frame looked at.

A hop is a room that has the value itself in hand, as an argument, a local name or a result, be it in
documents and lists. A file that only passes on an object that holds it is none. The engine that answers is
not looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from atlas_rag import Filter, KeywordInput, LocalClient, Retriever, VectorInput
from scripts.house.modules import WING_TWO

DEPTH = 12
"""Documents and lists inside each other that are looked into; into objects nobody looks."""

TEXT = "an unmistakable question"
FOUND = "an unmistakable answer"
ASKED: Mapping[str, tuple[Any, dict[str, Any]]] = {
    "text": (TEXT, {}),
    "weights": (0.7315, {"weights": {"keyword": 0.7315}}),
    "filter": ("an unmistakable tenant", {"filter": Filter.where("tenant", "an unmistakable tenant")}),
    "limit": (37, {"limit": 37, "reject_window": 0}),
    "score_threshold": (0.0031, {"score_threshold": {"rank_fusion": 0.0031}}),
}
"""By what is followed: the value that is looked for, and the options of the call."""

INDEXES = (
    (
        "vector_index",
        "vectorSearch",
        {
            "fields": [
                {"type": "vector", "path": "embedding", "numDimensions": 2, "similarity": "cosine"},
                {"type": "filter", "path": "tenant"},
            ]
        },
    ),
    (
        "text_index",
        "search",
        {"mappings": {"fields": {"text": {"type": "string"}, "tenant": {"type": "token"}}}},
    ),
)


def hops() -> dict[str, list[str]]:
    """By value: the files that have it in hand, in order, to the wire; `hit` is the way back."""
    retriever = _retriever()
    retriever.retrieve(TEXT, vector=[1.0, 0.0])
    there = {
        name: _followed(value, lambda given=given: retriever.retrieve(TEXT, vector=[1.0, 0.0], **given))
        for name, (value, given) in ASKED.items()
    }
    back = _followed(FOUND, lambda: retriever.retrieve(TEXT, vector=[1.0, 0.0]))
    return {**there, "hit": back}


def _retriever() -> Retriever:
    collection = LocalClient()["house"]["papers"]
    tenant = ASKED["filter"][0]
    collection.insert_one(
        {"_id": 1, "text": f"{FOUND} {TEXT}", "note": FOUND, "tenant": tenant, "embedding": [1.0, 0.0]}
    )
    for name, kind, definition in INDEXES:
        collection.create_search_index({"name": name, "type": kind, "definition": definition})
    return Retriever(collection, inputs=(VectorInput(), KeywordInput()))


def _followed(value: Any, call: Callable[[], object]) -> list[str]:
    files: dict[str, None] = {}

    def look(frame: FrameType, event: str, result: Any) -> None:
        name = frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or not name.startswith("atlas_rag.") or _in_engine(frame):
            return
        if any(_holds(one, value, DEPTH) for one in (*frame.f_locals.values(), result)):
            files[name.removeprefix("atlas_rag.")] = None

    sys.setprofile(look)
    try:
        call()
    finally:
        sys.setprofile(None)
    return list(files)


def _in_engine(frame: FrameType | None) -> bool:
    """Whether the engine that answers is at work, which is no part of the way."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith(WING_TWO):
            return True
        frame = frame.f_back
    return False


def _holds(one: Any, value: Any, depth: int) -> bool:
    if type(one) is type(value):
        return bool(one == value)
    if not depth or not isinstance(one, dict | list | tuple):
        return False
    return any(_holds(inner, value, depth - 1) for inner in (one.values() if isinstance(one, dict) else one))


def rooms(files: list[str]) -> list[str]:
    """The rooms of these files, in order."""
    return list(dict.fromkeys(name.split(".")[0] for name in files))
