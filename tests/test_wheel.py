"""The wheel alone is enough: what it carries works from an empty folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel's content in a folder, as pip would lay it out."""
    folder = tmp_path_factory.mktemp("wheel")
    built = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("ATLAS_RAG")}
    program = "from atlas_rag.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(unpacked)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_recipe_is_known_by_name_from_an_empty_folder(unpacked: Path, tmp_path: Path) -> None:
    applied = run(
        unpacked, tmp_path, "index", "apply", "shop.notes", "--recipe", "hybrid", "--create-collection"
    )
    assert (applied.returncode, applied.stdout) == (
        0,
        "create vector_index\ncreate text_index\ncan be queried: vector_index, text_index\n",
    )
    probed = run(unpacked, tmp_path, "probe", "shop.notes", "--recipe", "hybrid")
    assert probed.returncode == 0, probed.stdout


def test_the_data_of_the_checkout_is_the_data_of_the_wheel(unpacked: Path) -> None:
    def files(folder: Path) -> dict[str, bytes]:
        found = [*folder.rglob("*.toml"), *folder.rglob("*.json")]
        return {str(file.relative_to(folder)): file.read_bytes() for file in found}

    assert files(unpacked / "atlas_rag" / "recipes" / "data") == files(ROOT / "pipelines")
