"""Writes the page of the command line from the commands themselves. A test checks that it is up to date.

python -m scripts.docs_cli
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from atlas_rag.cli import _app

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "cli.md"
HEAD = """# Command line

Every command leaves with 0 where all is well, 1 where it is not, 2 where the call is wrong, 130 where it was
interrupted; with `--json` it prints one document. Without an address (`--uri`, `--uri-file` or
`ATLAS_RAG_URI`) it works on the in-process engine in the folder `.atlas_rag` (`--folder` or
`ATLAS_RAG_FOLDER`). `atlas-rag --version` tells the version, `atlas-rag --install-completion` teaches your
shell.
"""
SHARED = {"uri", "uri_file", "local", "as_json"}
"""Parameters that the head of the page explains."""


def page() -> str:
    """The whole page."""
    group: Any = typer.main.get_command(_app([]))
    return HEAD + "\n" + "\n".join(_commands(group, "atlas-rag"))


def _commands(group: Any, before: str) -> Iterator[str]:
    for name, command in sorted(group.commands.items()):
        if hasattr(command, "commands"):
            yield from _commands(command, f"{before} {name}")
        else:
            yield from _command(command, f"{before} {name}")


def _command(command: Any, name: str) -> Iterator[str]:
    arguments = " ".join(_placeholder(one) for one in command.params if one.param_type_name == "argument")
    yield f"## `{f'{name} {arguments}'.strip()}`"
    text, _, example = inspect.cleandoc(command.help or "").partition("Example: ")
    yield f"\n{text.strip()}\n"
    if example:
        yield f"```sh\n{example.strip()}\n```\n"
    options = [one for one in command.params if one.param_type_name == "option" and one.name not in SHARED]
    if options:
        yield "| option | |\n|---|---|"
        yield from (f"| `{'`, `'.join(_spellings(one))}` | {_cell(one.help)} |" for one in options)
        yield ""


def _placeholder(argument: Any) -> str:
    word = argument.name.upper()
    return word if argument.required else f"[{word}]"


def _spellings(option: Any) -> list[str]:
    return [*option.opts, *option.secondary_opts]


def _cell(text: str | None) -> str:
    return (text or "").replace("|", "\\|")


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
