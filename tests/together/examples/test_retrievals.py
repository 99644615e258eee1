"""The twelve worked retrievals give the same on every release, whatever route it allows."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import Route
from examples import retrievals
from examples.retrievals import WORKED, Note, open_shop

each = pytest.mark.parametrize("worked", WORKED, ids=lambda worked: worked.__name__)
FIRST = {
    "phrase_text_and_vector": "refunds-0",
    "lexical_prefilter": "refunds-1",
    "two_embedding_models": "returns-0",
    "automated_embedding": "hours-0",
    "recency": "returns-1",
    "score_fusion": "refunds-1",
    "collapse_with_neighbours": "refunds-0",
    "unlike_each_other": "returns-1",
    "facets_beside_hits": "returns-1",
    "synonyms": "refunds-2",
    "several_wordings": "refunds-2",
    "typed_documents": "hours-0",
}


@pytest.fixture(scope="module")
def shops() -> dict[str, Any]:
    return {release: open_shop(release) for release in ("7.0", "8.0", "8.2", "9.0")}


@each
def test_every_release_gives_the_same_hits_and_scores(worked: Any, shops: dict[str, Any]) -> None:
    results = {release: worked(notes) for release, notes in shops.items()}
    found = {
        release: [(hit.id, hit.score.value) for hit in result if hit.score]
        for release, result in results.items()
    }
    assert found["9.0"][0][0] == FIRST[worked.__name__]
    assert all(one == found["9.0"] for one in found.values())
    if results["9.0"].plan.fusion is not None:
        assert [result.plan.route for result in results.values()] == [
            *(Route.EMULATED, Route.EMULATED),
            *(Route.NATIVE, Route.NATIVE),
        ]


def test_each_shows_what_it_is_about() -> None:
    notes = open_shop()
    assert all(hit.neighbours for hit in retrievals.collapse_with_neighbours(notes))
    counted = retrievals.facets_beside_hits(notes)
    assert sum(bucket["count"] for bucket in counted.facets["topics"]) == counted.count
    assert isinstance(retrievals.typed_documents(notes)[0].document, Note)
    assert retrievals.score_fusion(notes).evidence.score_kind == "score_fusion"
    assert "keyword_3" in retrievals.several_wordings(notes).evidence.inputs
    assert retrievals.recency(notes).evidence.recency
    assert all("refund" in hit.document["text"].lower() for hit in retrievals.lexical_prefilter(notes))


def test_all_of_them_run_as_a_program(capsys: pytest.CaptureFixture[str]) -> None:
    retrievals.main()
    assert capsys.readouterr().out.count("(native)") == 10
