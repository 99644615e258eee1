"""`atlas-rag load` embeds and stores, and does no work twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.command_line import Run

LINES = [{"key": 1, "body": "Refunds take five days."}, {"key": 2, "body": "Parcels leave every morning."}]


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path / "place"))
    monkeypatch.delenv("ATLAS_RAG_URI", raising=False)
    file = tmp_path / "notes.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in LINES))
    return file


def loading(run: Run, notes: Path, *more: str) -> tuple[int, dict[str, object]]:
    words = ("shop.notes", notes, "--text", "body", "--id", "key", "--embedder", "hashing/64", "--json")
    outcome = run("load", *words, *more)
    return outcome.code, outcome.document


def test_what_is_loaded_once_is_not_loaded_again(run: Run, notes: Path) -> None:
    code, first = loading(run, notes)
    assert (code, first["written"], first["embedded"]) == (0, 2, 2)
    _, again = loading(run, notes)
    assert (again["written"], again["embedded"], again["resumed"]) == (0, 0, 2)


def test_an_item_that_fails_leaves_with_1_and_the_others_are_there(run: Run, notes: Path) -> None:
    with notes.open("a") as file:
        file.write("{nonsense\n")
    code, report = loading(run, notes)
    assert (code, report["written"], len(report["failures"])) == (1, 2, 1)  # type: ignore[arg-type]


def test_a_dry_run_counts(run: Run, notes: Path) -> None:
    assert run("load", "shop.notes", notes, "--dry-run").document == {"items": 2}


@pytest.mark.parametrize("words", [(), ("--embedder", "nothing"), ("--recipe", "hybrid")])
def test_an_embedder_has_to_be_named(run: Run, notes: Path, words: tuple[str, ...]) -> None:
    assert run("load", "shop.notes", notes, *words).code == 2


def test_a_missing_file_is_told_in_a_line(run: Run, notes: Path) -> None:
    outcome = run("load", "shop.notes", notes.with_name("nowhere.jsonl"), "--embedder", "hashing/64")
    assert (outcome.code, outcome.out, outcome.err.count("\n")) == (2, "", 1)
    assert "nowhere.jsonl" in outcome.err


def test_a_terminal_sees_a_bar(run: Run, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    words = ("shop.notes", notes, "--text", "body", "--id", "key", "--embedder", "hashing/64")
    assert "2/2" in run("load", *words).err
