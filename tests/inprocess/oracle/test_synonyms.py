"""The `synonyms` option of the recorded engine, in its older and its newer syntax."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.search.search_index import open_search_index
from tests.support import recordings


@pytest.mark.parametrize("name", ["synonyms_legacy", "synonyms_new"])
def test_hits_and_scores_are_the_engines(name: str) -> None:
    recording = recordings.engine(name)
    index = open_search_index(
        recording["definition"],
        synonyms=recording["synonyms"].__getitem__,
        new_synonyms=recording["newSynonyms"],
    )
    for key, document in enumerate(recording["docs"]):
        index.put(key, document)
    for case in recording["cases"]:
        hits = index.search(case["q"]).hits
        ours = [(recording["docs"][hit.key]["_id"], hit.score) for hit in hits]
        assert ours == [(hit["_id"], hit["$searchScore"]) for hit in case["out"]["results"]], case["q"]
