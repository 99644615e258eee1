"""README is true: its Python runs in one session, in order, and its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_python_of_the_readme_runs_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = BLOCK.findall(README.read_text(encoding="utf-8"))
    assert blocks
    session: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), session)
    assert "1 refunds Score(" in capsys.readouterr().out


def test_the_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", README.read_text(encoding="utf-8"))
    assert len(links) > 15
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_readme_is_a_screen_and_a_half() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 90
