"""README is true: its Python runs in one session, in order, and its tables are those of the code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from scripts import readme_errors

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_python_of_the_readme_runs_from_top_to_bottom(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = BLOCK.findall(README.read_text(encoding="utf-8"))
    assert len(blocks) >= 4
    session: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), session)
    assert "refunds" in capsys.readouterr().out


def test_the_list_of_errors_is_up_to_date() -> None:
    text = README.read_text(encoding="utf-8")
    assert readme_errors.updated(text) == text, "run python -m scripts.readme_errors"
