"""The playground: what its addresses answer, whom they answer, and what a real browser makes of it."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from atlas_rag import Fusion, HashingEmbedder, LocalClient, Retriever
from atlas_rag.cli import main
from atlas_rag.fusion import reciprocal_rank
from atlas_rag.recipes import read_recipe

starlette = pytest.importorskip("starlette.testclient", reason='needs pip install "atlas-rag[playground]"')

TEXTS = {
    "a": "refunds take five days",
    "b": "parcels are shipped every morning",
    "<script>alert(1)</script>": "refunds <b>never</b> take ‮longer 😀",
    "long": "refunds " * 20_000,
}


@pytest.fixture
def table() -> Any:
    from atlas_rag.playground.asking import Table

    recipe = replace(read_recipe("hybrid"), embedder=None, fusion=Fusion.rank({"keyword": 0.5}))
    embedder = HashingEmbedder(recipe.dimensions or 384)
    collection = LocalClient()["shop"]["notes"]
    retriever = Retriever.from_recipe(recipe, collection, embedder=embedder)
    retriever.load({"_id": name, "title": name, "text": text} for name, text in TEXTS.items())
    retriever.ensure_indexes()
    return Table(recipe, retriever)


def client_of(table: Any, folder: Path, token: str | None = None) -> Any:
    from atlas_rag.playground.app import make_app
    from atlas_rag.playground.judgments import Judgments

    app = make_app([table], Judgments(folder), token=token)
    return starlette.TestClient(app, base_url="http://127.0.0.1:8765")


def test_the_page_has_what_fuses_every_weight_as_the_server_does(table: Any, tmp_path: Path) -> None:
    client = client_of(table, tmp_path)
    about = client.get("/about").json()[0]
    assert about["inputs"] == [{"name": "vector", "weight": 1.0}, {"name": "keyword", "weight": 0.5}]
    answer = client.post("/ask", json={"question": "refunds"}).json()
    for weights in ({"vector": 1.0, "keyword": 0.5}, {"vector": 0.35, "keyword": 1.7}):
        scored = {
            hit["id"]: sum(
                reciprocal_rank(said["rank"], weights[name])
                for name, said in sorted(hit["said"].items())
                if said["rank"]
            )
            for hit in answer["hits"]
        }
        ties = {hit["id"]: hit["tie"] for hit in answer["hits"]}
        ours = sorted(scored, key=lambda name: (-scored[name], ties[name]))
        native = table._retriever.retrieve("refunds", weights=weights, limit=10)
        assert ours == [str(hit.id) for hit in native]
        assert [scored[name] for name in ours] == [hit.score.value for hit in native if hit.score]
    assert "$rankFusion" in str(answer["pipeline"])


def test_a_wrong_question_and_a_wrong_filter_are_answered_in_a_line(table: Any, tmp_path: Path) -> None:
    client = client_of(table, tmp_path)
    for body in (
        {},
        {"question": 5},
        {"question": "x", "recipe": 7},
        {"question": "x", "filter": {"a": {"$gtee": 1}}},
    ):
        reply = client.post("/ask", json=body)
        assert (reply.status_code, "error" in reply.json()) == (400, True)
    assert client.post("/ask", json={"question": "??"}).json()["why_empty"]
    assert client.post("/ask", content=b"no json").status_code == 400


def test_judgments_are_what_tune_reads_and_the_last_word_counts(table: Any, tmp_path: Path) -> None:
    client = client_of(table, tmp_path / "judged")
    for identity, relevant in (("a", True), ("b", False), ("a", False)):
        reply = client.post("/judge", json={"question": "refunds", "id": identity, "relevant": relevant})
    assert reply.json() == {"judged": 2}
    rows = (tmp_path / "judged" / "qrels.tsv").read_text().splitlines()
    assert rows[0] == "query-id\tcorpus-id\tscore"
    assert {row.split("\t")[1:][0]: row.split("\t")[2] for row in rows[1:]} == {"a": "0", "b": "0"}
    assert client.post("/judge", json={"question": "x", "id": "a\tb", "relevant": True}).status_code == 400


def test_other_sites_and_strangers_are_not_answered(table: Any, tmp_path: Path) -> None:
    client = client_of(table, tmp_path)
    assert client.get("/", headers={"host": "evil.example:8765"}).status_code == 403
    assert (
        client.post("/ask", json={"question": "x"}, headers={"origin": "http://evil.example"}).status_code
        == 403
    )
    closed = client_of(table, tmp_path, token="secret")
    assert closed.get("/").status_code == 403
    assert closed.get("/?token=secret").status_code == 200
    page = client.get("/")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "http://" not in page.text
    assert "https://" not in page.text


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@pytest.fixture
def address(table: Any, tmp_path: Path) -> Iterator[str]:
    uvicorn = pytest.importorskip("uvicorn")
    from atlas_rag.playground.app import make_app
    from atlas_rag.playground.judgments import Judgments

    port = free_port()
    config = uvicorn.Config(make_app([table], Judgments(tmp_path)), port=port, log_level="error", ws="none")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    yield f"http://127.0.0.1:{port}/"
    server.should_exit = True
    thread.join()


@pytest.mark.slow
def test_a_real_browser_shows_the_lists_and_runs_no_text(address: str, tmp_path: Path) -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no Chromium here: apt-get install --no-install-recommends chromium")
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--virtual-time-budget=5000",
        "--window-size=390,900",
    ]
    told = subprocess.run(
        [chromium, *flags, f"--user-data-dir={tmp_path / 'browser'}", "--dump-dom", f"{address}?q=refunds"],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert told.count('type="range"') == 2
    assert 'data-id="a"' in told
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in told
    assert "<b>never</b>" not in told
    assert "no judgments" not in told


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["recipe", "check", "hybrid"], 0, "hybrid-2: hybrid, vector (VectorInput), keyword (KeywordInput)"),
        (["recipe", "list"], 0, "keyword-2"),
        (["recipe", "show", "vector"], 0, '"kind": "vector"'),
        (["recipe", "diff", "vector", "vector"], 0, ""),
        (["recipe", "diff", "vector", "keyword"], 1, "+"),
        (["recipe", "check", "nowhere"], 2, ""),
        (["playground", "hybrid", "--host", "192.0.2.1"], 2, ""),
    ],
)
def test_the_commands_say_it_in_a_line_and_an_exit_code(
    words: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(words)
    assert (left.value.code or 0) == code
    assert said in capsys.readouterr().out
