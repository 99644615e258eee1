"""The pages of `docs/how-to` are true: the Python of each runs in one session, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent.parent / "docs" / "how-to"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
NEEDS = {"embedders.md": "onnxruntime"}
"""Packages of extras that a page uses."""


@pytest.mark.parametrize("page", sorted(FOLDER.glob("*.md")), ids=lambda page: page.name)
def test_the_python_of_a_page_runs_from_top_to_bottom(page: Path) -> None:
    if page.name in NEEDS:
        pytest.importorskip(NEEDS[page.name])
    blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
    assert blocks
    session: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), session)
