"""`atlas-rag doctor` says what is not well, and what to do about it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from atlas_rag.cli.doctor import deployment, environment
from atlas_rag.serve import serve
from tests.support.command_line import Run


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ATLAS_RAG_FOLDER", str(tmp_path))
    monkeypatch.delenv("ATLAS_RAG_URI", raising=False)


def test_a_sound_machine_is_well_and_every_extra_is_told(run: Run) -> None:
    outcome = run("doctor", "--json")
    found = {one["what"]: one for one in outcome.document}
    assert outcome.code == 0
    assert {"Python", "pymongo", "numpy", "BSON", "[cli]", "[onnx]", "folder"} <= set(found)
    assert "onnxruntime" in found["[onnx]"]["seen"]


def test_an_extra_that_is_missing_is_a_note_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    known = environment._version
    monkeypatch.setattr(environment, "_version", lambda name: None if name == "motor" else known(name))
    (found,) = (one for one in environment.environment(Path()) if one.what == "[motor]")
    assert (found.state, found.seen) == ("note", "without motor")
    assert 'pip install "atlas-rag[motor]"' in found.remedy


def test_a_deployment_that_answers_is_well(run: Run) -> None:
    with serve() as uri:
        outcome = run("doctor", "--uri", uri, "--json")
    found = {one["what"]: one for one in outcome.document}
    assert outcome.code == 0
    assert {"DNS", "port", "server", "clock"} <= set(found)
    assert all(found[one]["state"] == "well" for one in ("DNS", "port", "server", "clock"))


def test_a_closed_port_is_not_well_and_no_password_is_told(run: Run) -> None:
    outcome = run("doctor", "--uri", "mongodb://someone:secret@127.0.0.1:1")
    assert outcome.code == 1
    assert "FAIL  port          127.0.0.1:1: Connection refused" in outcome.out
    assert "is the server running?" in outcome.out
    assert "secret" not in outcome.out + outcome.err


def test_tls_where_there_is_none_is_not_well(run: Run) -> None:
    with serve() as uri:
        outcome = run("doctor", "--uri", uri.partition("?")[0].rstrip("/") + "/?tls=true")
    assert outcome.code == 1
    assert "FAIL  TLS" in outcome.out


def test_a_clock_that_is_wrong_is_not_well() -> None:
    now = datetime.now(UTC).replace(tzinfo=None)
    assert deployment._clock(now).state == "well"
    wrong = deployment._clock(now + timedelta(minutes=10))
    assert (wrong.state, "NTP" in wrong.remedy) == ("ill", True)


def test_a_folder_that_cannot_be_written_is_not_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment.os, "access", lambda path, mode: False)
    (found,) = (one for one in environment.environment(Path("here")) if one.what == "folder")
    assert (found.state, "ATLAS_RAG_FOLDER" in found.remedy) == ("ill", True)
