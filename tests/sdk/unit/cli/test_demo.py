"""The demo fits on a screen, tells the truth, and hybrid search helps in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import numpy as np
import pytest

from atlas_rag.cli import main
from atlas_rag.demo import articles, questions
from atlas_rag.demo.vectors import FILE, digest
from atlas_rag.embed import OnnxEmbedder


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """What a command prints, all of them in one folder."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ATLAS_RAG_FOLDER", str(tmp_path_factory.mktemp("place")))
        patch.delenv("ATLAS_RAG_URI", raising=False)
        patch.setattr("atlas_rag.cli.demo.program_name", lambda: "atlas-rag")  # a path may be of any length
        yield cache(printed)


def printed(*words: str) -> str:
    with redirect_stdout(StringIO()) as out, pytest.raises(SystemExit) as left:
        main(words)
    assert not left.value.code
    return out.getvalue()


Told = Callable[..., str]


def test_six_questions_fit_on_one_screen_each_with_text_ranks_and_reason(told: Told) -> None:
    lines = told("demo").splitlines()
    assert len(lines) <= 60
    assert max(map(len, lines)) <= 80
    shown = [position for position, line in enumerate(lines) if line.startswith("? ")]
    assert [lines[position][2:] for position in shown] == [one.text for one in questions()[:6]]
    for position in shown:
        text, ranks, why = lines[position + 1 : position + 4]
        assert len(text) > 40
        assert re.match(r"  ranks: keyword (\d+|-), vector (\d+|-); score 0\.\d+ = 1/\(60\+", ranks)
        assert why.startswith(("  ✓", "  ✗"))


def test_an_empty_answer_a_kept_filter_and_a_refused_one_are_shown(told: Told) -> None:
    screen = told("demo")
    assert "0 hits, filter_matched_nothing: no document fits the filter" in screen
    assert "91 hits, 0 of them for staff" in screen
    assert "the filter on 'region'" in screen


def test_hybrid_is_right_most_often_and_every_mode_is_told(told: Told) -> None:
    table = told("demo", "--all")
    found = re.search(r"of 12 questions: hybrid (\d+), vector (\d+), keyword (\d+)\n.*: (\d+)\)", table)
    assert found is not None
    hybrid, vector, keyword, hashed = map(int, found.groups())
    assert hybrid >= 10
    assert hybrid >= max(vector, keyword, hashed)
    assert sum(line.startswith(tuple(one.text for one in questions())) for line in table.splitlines()) == 12


def test_the_index_that_the_demo_has_built_answers_further_questions(told: Told) -> None:
    told("demo")
    found = told("search", "atlas_rag_demo.handbook", "what does E404 mean", "--recipe", "handbook", "--json")
    assert json.loads(found)["hits"][0]["id"] == "Error E404"


def test_a_second_run_changes_nothing_and_says_the_same(told: Told) -> None:
    assert printed("demo").partition("Done in")[0] == told("demo").partition("Done in")[0]


def test_every_question_has_its_article() -> None:
    titles = {article.id for article in articles()}
    assert {one.answer for one in questions()} <= titles


def test_the_vectors_that_come_along_are_those_of_the_model() -> None:
    texts = [article.text for article in articles()]
    with np.load(FILE) as kept:
        assert kept["digests"].tolist() == [digest(text) for text in texts], "python -m scripts.demo_vectors"
        vectors = kept["vectors"]
    for position in (0, 40, 98):
        assert float(vectors[position] @ OnnxEmbedder().embed_query(texts[position])) > 0.99
