"""Recorded answers of the real engine's `$search` and `$searchMeta` beside those of the in-process engine.

Each recorded case is asked once and compared part by part: the hits in order, their scores bit for bit, what
they carry (`$meta` by `$meta`), the metadata document, or the refusal's text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.index import Answer
from atlas_rag.inprocess.search.search_index import SearchIndex, open_search_index

SETS = ("main", "main_partitions", "variants", "embedded", "synonyms_legacy", "synonyms_new")
CARRIED = {
    "searchHighlights": "$searchHighlights",
    "searchScoreDetails": "$searchScoreDetails",
    "searchSortValues": "$searchSortValues",
    "searchRootDocumentId": "$searchRootDocumentId",
    "storedSource": "storedSource",
}
_OPTIONS = frozenset(
    {"index", "count", "highlight", "sort", "scoreDetails", "returnStoredSource", "returnScope"}
)


@dataclass
class Compared:
    """One case.

    Attributes:
        parts: by name of what was compared, whether it is equal.
        hits, bit_equal, near: how many hits were compared; scores equal in all bits; within two units.
        differences: the first difference of each unequal part.
    """

    recording: str
    number: int
    family: str
    parts: dict[str, bool] = field(default_factory=dict)
    hits: int = 0
    bit_equal: int = 0
    near: int = 0
    differences: dict[str, str] = field(default_factory=dict)

    @property
    def equal(self) -> bool:
        """Whether everything is."""
        return not self.differences

    def note(self, part: str, ours: Any, theirs: Any) -> None:
        """Compares one part."""
        difference = first_difference(ours, theirs)
        self.parts[part] = difference is None
        if difference is not None:
            self.differences[part] = difference


def compared(name: str, recording: Mapping[str, Any]) -> Iterator[Compared]:
    """Asks every case of a recording."""
    index = opened(recording)
    for number, case in enumerate(recording["cases"]):
        family = next(key for key in case["q"] if key not in _OPTIONS)
        yield _compared(Compared(name, number, family), index, recording["docs"], case)


def opened(recording: Mapping[str, Any]) -> SearchIndex:
    """Indexes a recording's documents."""
    synonyms = recording.get("synonyms") or {}
    index = open_search_index(
        recording["definition"], synonyms=synonyms.get, new_synonyms=bool(recording.get("newSynonyms"))
    )
    for key, document in enumerate(recording["docs"]):
        index.put(key, document)
    return index


def _compared(result: Compared, index: SearchIndex, documents: Any, case: Mapping[str, Any]) -> Compared:
    out = case["out"]
    try:
        answer = index.search(case["q"], meta_only=case["kind"] == "searchMeta")
    except EngineRefusal as refusal:
        result.note("refusal", refusal.text.strip(), str(out.get("errmsg")).strip())
        return result
    if not out["ok"]:
        result.note("refusal", None, out["errmsg"])
        return result
    result.note("meta", answer.meta, out["meta"])
    if case["kind"] == "search":
        _compare_hits(result, answer, documents, out["results"])
    return result


def _compare_hits(result: Compared, answer: Answer, documents: Any, theirs: Any) -> None:
    scoped = any("$searchRootDocumentId" in hit for hit in theirs)
    ours_ids = [documents[hit.key]["_id"] for hit in answer.hits]
    result.note("order", ours_ids, [_identifier(hit) for hit in theirs])
    if len(answer.hits) != len(theirs) or not (result.parts["order"] or scoped):
        return
    pairs = [
        (hit.score, hit_recorded["$searchScore"])
        for hit, hit_recorded in zip(answer.hits, theirs, strict=True)
    ]
    result.hits = len(pairs)
    result.bit_equal = sum(one == other for one, other in pairs)
    result.near = sum(_units_apart(one, other) <= 2 for one, other in pairs)
    result.note("scores", [one for one, _ in pairs], [other for _, other in pairs])
    for name, key in CARRIED.items():
        if any(key in hit for hit in theirs):
            result.note(name, [hit.meta.get(name) for hit in answer.hits], [hit.get(key) for hit in theirs])


def _identifier(hit: Mapping[str, Any]) -> Any:
    if "$searchRootDocumentId" in hit:
        return hit["$searchRootDocumentId"]
    return hit["_id"] if "_id" in hit else hit["storedSource"]["_id"]


def _units_apart(one: float, other: float) -> int:
    """Units in the last place between two float32."""
    bits = np.array([one, other], np.float32).view(np.int32).tolist()
    return abs(bits[0] - bits[1])


def first_difference(ours: Any, theirs: Any, where: str = "") -> str | None:
    """Says where two values first differ, None where they are equal.

    Numbers are compared by value; identity hashes in explanations are not compared.
    """
    if isinstance(ours, Mapping) and isinstance(theirs, Mapping):
        for key in dict.fromkeys([*ours, *theirs]):
            found = first_difference(ours.get(key), theirs.get(key), f"{where}.{key}")
            if found is not None:
                return found
        return None
    if isinstance(ours, list) and isinstance(theirs, list):
        for at in range(max(len(ours), len(theirs))):
            pair = [values[at] if at < len(values) else "nothing" for values in (ours, theirs)]
            found = first_difference(*pair, f"{where}[{at}]")
            if found is not None:
                return found
        return None
    if _plain(ours) == _plain(theirs) and isinstance(ours, bool) == isinstance(theirs, bool):
        return None
    return f"{where}: {ours!r:.300} instead of {theirs!r:.300}"


def _plain(value: Any) -> Any:
    return re.sub(r"@[0-9a-f]+", "@", value) if isinstance(value, str) else value
