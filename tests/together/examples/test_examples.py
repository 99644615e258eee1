"""The examples do what they say; the service's test is `test_service_under_load.py`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pymongo

from atlas_rag.serve import serve
from examples.langchain_chain import make_chain
from examples.llama_index_query import make_engine

ROOT = Path(__file__).parents[3]
EXAMPLES = ROOT / "examples"


def run(*words: str | Path, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("ATLAS_RAG")}
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**inherited, "PATH": programs, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(
        [str(word) for word in words], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )


def test_the_deploy_job_builds_loads_and_proves_and_can_be_run_again(tmp_path: Path) -> None:
    with serve() as uri, pymongo.MongoClient[dict[str, object]](uri) as client:
        place = {"ATLAS_RAG_URI": uri, "ATLAS_RAG_FOLDER": str(tmp_path)}
        first = run("bash", EXAMPLES / "deploy" / "deploy.sh", "shop.notes", cwd=tmp_path, **place)
        assert first.returncode == 0, first.stdout + first.stderr
        assert "create vector_index\ncreate text_index" in first.stdout
        assert "3 read: 3 written" in first.stdout
        assert "  1 Refunds" in first.stdout
        assert client["shop"]["notes"].count_documents({}) == 3
        second = run("bash", EXAMPLES / "deploy" / "deploy.sh", "shop.notes", cwd=tmp_path, **place)
        assert second.returncode == 0, second.stdout + second.stderr
        assert "nothing to change" in second.stdout
        assert "0 written" in second.stdout


def test_the_deploy_job_stops_where_nothing_answers(tmp_path: Path) -> None:
    nobody = {"ATLAS_RAG_URI": "mongodb://127.0.0.1:1", "ATLAS_RAG_FOLDER": str(tmp_path)}
    stopped = run("bash", EXAMPLES / "deploy" / "deploy.sh", "shop.notes", cwd=tmp_path, **nobody)
    assert stopped.returncode == 1
    assert "Connection refused" in stopped.stdout
    assert "Traceback" not in stopped.stderr


def test_weights_are_found_for_two_csv_files(tmp_path: Path) -> None:
    own = EXAMPLES / "own_data"
    made = run(
        *(sys.executable, own / "from_csv.py", own, tmp_path / "data", "--embedder", "hashing/384"),
        cwd=tmp_path,
    )
    assert made.returncode == 0, made.stderr
    assert made.stdout.startswith("91 articles, 71 questions, 71 judgments")
    words = (own / "experiment.toml", "--data", tmp_path / "data", "--out", tmp_path / "report", "--json")
    tuned = run(*("atlas-rag", "tune", *words), cwd=tmp_path, ATLAS_RAG_FOLDER=str(tmp_path / "place"))
    assert tuned.returncode == 0, tuned.stderr
    assert set(json.loads(tuned.stdout)["weights"]) == {"keyword", "vector"}
    assert (tmp_path / "report" / "report.html").exists()


def test_a_langchain_chain_makes_a_prompt_of_numbered_sources() -> None:
    prompt = make_chain().invoke("what does E021 mean").to_string()  # type: ignore[attr-defined]
    assert "[1] Error E021: E021: the speed sensor sees no magnet." in prompt
    assert prompt.endswith("what does E021 mean")


def test_a_llama_index_engine_answers_with_source_nodes() -> None:
    answer = make_engine().query("what does E021 mean")
    assert answer.source_nodes[0].node_id == "Error E021"
    assert len(answer.source_nodes) == 3
