"""`atlas-rag`: thin commands over the front door.

One file for each command and one line in `COMMANDS`; only the command that is asked for is imported, so that
it costs what it needs itself. A command's file has a function `command`, whose docstring is its help; a
family of commands has a folder with a typer `app`.

Every command leaves with 0 where all is well, 1 where it is not, 2 where the call is wrong, 130 where it was
interrupted, and says why in one line (see `atlas_rag.cli.running`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typer

COMMANDS = {
    "check": "atlas_rag.cli.check",
    "compare": "atlas_rag.cli.compare",
    "demo": "atlas_rag.cli.demo",
    "doctor": "atlas_rag.cli.doctor",
    "index": "atlas_rag.cli.index",
    "load": "atlas_rag.cli.load",
    "playground": "atlas_rag.cli.playground",
    "probe": "atlas_rag.cli.probe",
    "recipe": "atlas_rag.cli.recipe",
    "search": "atlas_rag.cli.search",
    "serve": "atlas_rag.cli.serve",
    "tune": "atlas_rag.cli.tune",
}
"""The home of every command."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and leave with its exit code.

    Args:
        arguments: words after the program's name; those of the process where left out.
    """
    from atlas_rag.cli.running import run

    words = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(run(lambda: _app(words)(words, prog_name="atlas-rag"), as_json="--json" in words))


def _app(words: Sequence[str]) -> typer.Typer:
    try:
        import typer
    except ModuleNotFoundError:
        sys.exit('the command line needs its extra: pip install "atlas-rag[cli]"')
    app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=_title())
    app.callback()(_overview(typer))
    for name in _wanted(words):
        _add(app, name)
    return app


def _add(app: typer.Typer, name: str) -> None:
    """Adds one command, or the commands of a module that has an `app` of its own."""
    module = import_module(COMMANDS[name])
    if hasattr(module, "app"):
        app.add_typer(module.app, name=name)
    else:
        app.command(name)(module.command)


def _wanted(words: Sequence[str]) -> list[str]:
    """The command that is asked for, or all of them for the overview and for completion."""
    return [words[0]] if words and words[0] in COMMANDS else sorted(COMMANDS)


def _title() -> str:
    return "Hybrid retrieval on MongoDB Atlas."


def _overview(typer: Any) -> Callable[..., None]:
    """The options of the program itself."""

    def show_version(wanted: bool) -> None:
        if wanted:
            from atlas_rag.version import __version__

            typer.echo(f"atlas-rag {__version__}")
            raise typer.Exit

    def overview(
        version: bool = typer.Option(
            False, "--version", help="Show the version and leave.", callback=show_version, is_eager=True
        ),
    ) -> None:
        """Keeps a single command from standing without its name."""

    return overview
