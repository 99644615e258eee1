"""What MkDocs does to a page before it is rendered."""

from __future__ import annotations

from typing import Any

NOT_RUN = "```python notest\n"
"""How a block says that no test runs it; readers need not know."""


def on_page_markdown(markdown: str, **context: Any) -> str:
    """Blocks that are not run look like the others."""
    return markdown.replace(NOT_RUN, "```python\n")
