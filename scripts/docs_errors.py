"""Writes the list of error codes by family into the docs. A test checks that it is up to date.

python -m scripts.docs_errors
"""

from __future__ import annotations

from pathlib import Path

from atlas_rag.errors import Code

PAGE = Path(__file__).parent.parent / "docs" / "errors.md"
BEGIN, END = "<!-- families:begin -->", "<!-- families:end -->"
FAMILIES = {
    71: "fix the call (`CallError`)",
    72: "another route, deployment or policy (`RetrievalError`)",
    73: "the search index (`SearchIndexError`)",
    74: "the deployment, network or account (`ServerError`)",
    75: "an undocumented reply (`ReplyError`)",
    76: "the experiment (`ExperimentError`)",
}


def table() -> str:
    """The codes by family, as a Markdown table."""
    lines = ["| codes | remedy | names |", "|---|---|---|"]
    for family, remedy in FAMILIES.items():
        codes = [code for code in Code if code // 100 == family]
        names = ", ".join(f"[{int(code)}](#{int(code)}) {code.name}" for code in codes)
        lines.append(f"| [{family}xx](#{family}xx) | {remedy} | {names} |")
    return "\n".join(lines)


def updated(text: str) -> str:
    """The page with the table between its marks."""
    head, rest = text.split(BEGIN)
    _, tail = rest.split(END)
    return f"{head}{BEGIN}\n{table()}\n{END}{tail}"


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
