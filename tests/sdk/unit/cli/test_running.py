"""Whatever happens, a command says it in one line and leaves with the code that it means."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import dns.resolver
import pytest

from atlas_rag import CallError, ServerError, __version__
from atlas_rag.cli import COMMANDS, places, running
from tests.support.command_line import Run

PROGRAM = [sys.executable, "-c", "from atlas_rag.cli import main; main()"]
NOBODY = "mongodb://someone:secret@127.0.0.1:1/?serverSelectionTimeoutMS=50"


def raising(error: BaseException) -> int:
    def command() -> None:
        raise error

    return running.run(command)


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == (0, f"atlas-rag {__version__}\n", "")


def test_the_overview_names_every_command(run: Run) -> None:
    outcome = run("--help")
    assert outcome.code == 0
    assert all(name in outcome.out for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(run: Run, name: str) -> None:
    assert run(name, "--help").code == 0


def test_a_shell_can_be_taught_to_complete(monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    monkeypatch.setenv("_ATLAS_RAG_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "atlas-rag se")
    monkeypatch.setenv("COMP_CWORD", "1")
    assert run().out.split() == ["search", "serve"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (CallError("no"), 2),
        (ServerError("no"), 1),
        (KeyboardInterrupt(), 130),
        (PermissionError(13, "Permission denied", "folder"), 1),
        (ZeroDivisionError(), 70),
    ],
    ids=lambda one: type(one).__name__,
)
def test_an_error_is_one_line_and_a_code(
    capsys: pytest.CaptureFixture[str], error: BaseException, code: int
) -> None:
    assert raising(error) == code
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)


def test_an_internal_error_can_be_looked_into(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(running.DEBUG_VARIABLE, "1")
    with pytest.raises(ZeroDivisionError):
        raising(ZeroDivisionError())


@pytest.mark.parametrize(
    "words",
    [
        ("probe", "app.docs"),
        ("search", "app.docs", "question"),
        ("index", "plan", "app.docs", "--recipe", "hybrid"),
        ("index", "apply", "app.docs", "--recipe", "hybrid"),
        ("index", "wait", "app.docs", "--recipe", "hybrid"),
        ("index", "status", "app.docs"),
        ("index", "check-documents", "app.docs"),
        ("index", "drop", "app.docs", "one"),
    ],
)
def test_a_deployment_that_does_not_answer_is_named_without_its_password(
    run: Run, words: tuple[str, ...]
) -> None:
    outcome = run(*words, "--uri", NOBODY)
    assert (outcome.code, outcome.out) == (1, "")
    assert "[7401] No server at 127.0.0.1:1 answered within 0.05 s" in outcome.err
    assert "secret" not in outcome.err
    assert outcome.err.count("\n") == 1


def test_nobody_is_waited_for_more_than_ten_seconds_unless_the_address_says_so() -> None:
    assert all(limit <= 10_000 for limit in places.PATIENCE_MS.values())
    with places._remote("mongodb://127.0.0.1:1") as client:
        assert client.options.server_selection_timeout <= 10
    with places._remote("mongodb://127.0.0.1:1/?serverselectiontimeoutms=60000") as client:
        assert client.options.server_selection_timeout == 60


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("mongodb://127.0.0.1:27018", "127.0.0.1:27018"),
        ("mongodb+srv://u:p%40ss@cluster.example.net/shop?appName=x@y", "cluster.example.net"),
        ("mongodb://u:p@a:1,b:2/?replicaSet=r", "a:1,b:2"),
        ("mongodb://a:1?tls=true", "a:1"),
    ],
)
def test_of_an_address_only_the_hosts_are_told(address: str, told: str) -> None:
    assert places.hosts(address) == told


def test_whoever_waits_is_told_for_whom(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], run: Run
) -> None:
    monkeypatch.setattr(places, "QUIET", 0.0)
    outcome = run("probe", "app.docs", "--uri", NOBODY.replace("=50", "=500"))
    assert "waiting for 127.0.0.1:1, 0.5 s at most\n" in outcome.err


@pytest.mark.parametrize("words", [["--help"], ["check", "--help"]])
def test_a_reader_may_leave(words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [*PROGRAM, *words], stdout=writing, stderr=subprocess.PIPE, cwd=Path.cwd(), check=False
        )
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


def test_ctrl_c_ends_without_a_traceback() -> None:
    words = [*PROGRAM, "serve", "--port", "0"]
    heard = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a shell's background jobs ignore it
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heard) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"development server" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() in (b"", b"interrupted\n")
    assert process.returncode in (0, running.INTERRUPTED)


def test_a_name_that_is_not_known_is_unreachable_and_no_wrong_call(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def unknown(*asked: object, **options: object) -> None:
        raise dns.resolver.NXDOMAIN

    monkeypatch.setattr(dns.resolver, "resolve", unknown)
    outcome = run("probe", "app.docs", "--uri", "mongodb+srv://u:secret@nowhere.invalid")
    assert (outcome.code, outcome.out) == (1, "")
    assert "[7401]" in outcome.err
    assert "nowhere.invalid" in outcome.err
    assert "secret" not in outcome.err


def test_what_the_library_logs_does_not_disturb_what_a_command_prints(run: Run) -> None:
    run("--version")
    assert any(isinstance(one, logging.NullHandler) for one in logging.getLogger("atlas_rag").handlers)
