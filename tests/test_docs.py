"""The documentation is true: its Python runs, its commands exist, it is built strictly, from here alone."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
import typer

from atlas_rag.cli import COMMANDS, _app
from atlas_rag.errors import Code
from scripts import docs_cli, docs_errors, docs_refused

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PYTHON = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHELL = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
PAGES = sorted(DOCS.rglob("*.md"))
NEEDS = {"embedders.md": "onnxruntime"}
"""Packages of extras that a page uses."""

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(DOCS)))


@each_page
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path) -> None:
    if page.name in NEEDS:
        pytest.importorskip(NEEDS[page.name])
    session: dict[str, Any] = {"__name__": page.stem}
    for block in PYTHON.findall(page.read_text(encoding="utf-8")):
        exec(compile(block, page.name, "exec"), session)


def commands_of(text: str) -> list[list[str]]:
    """The words of each call of `atlas-rag` in the shell blocks, without comments."""
    blocks = "\n".join(SHELL.findall(text)).replace("\\\n", " ")
    calls = [part for line in blocks.splitlines() for part in re.split(r"\|\||&&|[;{}]", line)]
    words = [shlex.split(call, comments=True) for call in calls if call.strip().startswith("atlas-rag ")]
    return [call[1:] for call in words]


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_command_and_option_that_a_page_shows_exists(page: Path) -> None:
    root: Any = typer.main.get_command(_app([]))
    for words in commands_of(page.read_text(encoding="utf-8")):
        command, rest = root, list(words)
        while rest and rest[0] in getattr(command, "commands", {}):
            command = command.commands[rest.pop(0)]
        if rest and not rest[0].startswith("-"):
            command = getattr(command, "commands", {}).get("run", command)  # a family's own first word
        known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
        used = {word.partition("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
        assert used <= known | {"--help"}, words
        assert not hasattr(command, "commands") or not rest or rest[0].startswith("-"), words


def test_the_pages_that_are_generated_are_up_to_date() -> None:
    assert docs_cli.PAGE.read_text(encoding="utf-8") == docs_cli.page(), "run python -m scripts.docs_cli"
    refused = docs_refused.PAGE.read_text(encoding="utf-8")
    assert docs_refused.updated(refused) == refused, "run python -m scripts.docs_refused"
    errors = docs_errors.PAGE.read_text(encoding="utf-8")
    assert docs_errors.updated(errors) == errors, "run python -m scripts.docs_errors"


def test_every_error_has_an_entry_with_cause_and_remedy() -> None:
    text = docs_errors.PAGE.read_text(encoding="utf-8")
    entry = r"^### (\d+) ([A-Z_]+) \{ #(\d+) \}\n\n\*\*Cause\.\*\* .+\n\n\*\*Remedy\.\*\* .+"
    found = re.findall(entry, text, re.MULTILINE)
    assert found == [(str(int(code)), code.name, str(int(code))) for code in Code]


def test_every_command_has_its_entry() -> None:
    text = docs_cli.PAGE.read_text(encoding="utf-8")
    assert all(f"## `atlas-rag {name}" in text for name in COMMANDS)


class _Loaded(HTMLParser):
    """Collects what a page makes a browser load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        loads = tag in ("script", "img", "iframe", "source")
        loads = loads or (
            tag == "link" and given.get("rel") in ("stylesheet", "preconnect", "icon", "preload")
        )
        address = given.get("src") or given.get("href")
        if loads and address:
            self.found.append(address)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


def test_the_site_is_built_strictly_with_every_page(site: Path) -> None:
    pages = {page.relative_to(DOCS).with_suffix(".html") for page in PAGES}
    assert pages <= {page.relative_to(site) for page in site.rglob("*.html")}


def test_no_page_loads_anything_from_another_host(site: Path) -> None:
    for page in site.rglob("*.html"):
        parser = _Loaded()
        parser.feed(page.read_text(encoding="utf-8"))
        assert not [one for one in parser.found if "//" in one], page.name
    for style in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*['\"]?(https?:)?//", style.read_text(encoding="utf-8"))


def test_the_reference_shows_signatures_and_arguments(site: Path) -> None:
    text = (site / "reference" / "retrieval.html").read_text(encoding="utf-8")
    assert all(word in text for word in ("AsyncRetriever", "score_threshold", "required_indexes"))
