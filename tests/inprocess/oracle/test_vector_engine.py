"""`$vectorSearch` on the in-process engine against the recorded answers of the real one.

Exact questions and unquantized indexes must be equal: ids in order, and scores to the last bit (for longer
vectors see `test_vector_corpora`). Approximate questions over quantized indexes are not reproducible by the
engine itself: there the overlap is measured.
"""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.search.vector_index import VectorIndex, open_vector_index
from tests.support import recordings

SIMILARITIES = ("cosine", "dotProduct", "euclidean")
CERTAIN = [f"vector_{similarity}_none" for similarity in SIMILARITIES] + ["vector_nested"]
QUANTIZED = [f"vector_{similarity}_{how}" for similarity in SIMILARITIES for how in ("scalar", "binary")]


def opened(recording: dict[str, Any], *, simulate_loss: bool = False) -> VectorIndex:
    index = open_vector_index(recording["definition"], simulate_loss=simulate_loss)
    for key, document in enumerate(recording["docs"]):
        index.put(key, document)
    return index


def answers(
    index: VectorIndex, recording: dict[str, Any], body: dict[str, Any]
) -> list[tuple[Any, float]] | str:
    try:
        return [(recording["docs"][hit.key]["_id"], hit.score) for hit in index.search(body).hits]
    except EngineRefusal as refusal:
        return refusal.text


def recorded(case: dict[str, Any]) -> list[tuple[Any, float]] | str:
    out = case["out"]
    if not out["ok"]:
        return str(out["errmsg"])
    return [(hit["_id"], hit["$vectorSearchScore"]) for hit in out["results"]]


@pytest.mark.parametrize("name", CERTAIN)
def test_every_answer_is_equal_to_the_last_bit(name: str) -> None:
    recording = recordings.engine(name)
    index = opened(recording)
    for case in recording["cases"]:
        assert answers(index, recording, case["q"]) == recorded(case)


@pytest.mark.parametrize("name", QUANTIZED)
def test_exact_questions_ignore_quantization(name: str) -> None:
    recording = recordings.engine(name)
    index = opened(recording)
    exact = [case for case in recording["cases"] if case["q"].get("exact")]
    assert len(exact) >= 8
    for case in exact:
        assert answers(index, recording, case["q"]) == recorded(case)


def overlap(name: str, *, simulate_loss: bool) -> float:
    """The share of what the engine found approximately that we find too."""
    recording = recordings.engine(name)
    index = opened(recording, simulate_loss=simulate_loss)
    shared, wanted = 0, 0
    for case in recording["cases"]:
        if not case["q"].get("exact"):
            ours, theirs = dict(answers(index, recording, case["q"])), dict(recorded(case))
            assert len(ours) == len(theirs)
            shared += len(ours.keys() & theirs.keys())
            wanted += len(theirs)
    return shared / wanted


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_scalar_quantization_finds_what_the_engine_found(similarity: str) -> None:
    assert overlap(f"vector_{similarity}_scalar", simulate_loss=False) >= 0.98


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_simulated_loss_of_binary_quantization_misses_what_the_engine_missed(similarity: str) -> None:
    assert overlap(f"vector_{similarity}_binary", simulate_loss=True) >= 0.93
    assert overlap(f"vector_{similarity}_binary", simulate_loss=False) < 0.9


@pytest.mark.parametrize("name", ["vector_cosine_scalar", "vector_euclidean_scalar"])
def test_scalar_scores_are_the_engines_quantized_ones(name: str) -> None:
    recording = recordings.engine(name)
    index = opened(recording)
    for case in recording["cases"]:
        ours, theirs = answers(index, recording, case["q"]), recorded(case)
        assert [identity for identity, _ in ours] == [identity for identity, _ in theirs]
        assert [score for _, score in ours] == pytest.approx([score for _, score in theirs], abs=3e-7)


@pytest.mark.parametrize("similarity", SIMILARITIES)
def test_binary_quantization_reports_exact_scores(similarity: str) -> None:
    recording = recordings.engine(f"vector_{similarity}_binary")
    index = opened(recording)
    for case in recording["cases"]:
        if not case["q"].get("exact"):
            ours = dict(answers(index, recording, case["q"]))
            theirs = dict(recorded(case))
            assert all(ours[identity] == theirs[identity] for identity in ours.keys() & theirs.keys())
