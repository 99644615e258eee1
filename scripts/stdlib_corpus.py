"""Real text on every machine: the docstrings of Python's standard library, read from its source."""

from __future__ import annotations

import ast
import inspect
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SKIPPED = {
    "distutils",
    "test",
    "tests",
    "idlelib",
    "lib2to3",
    "site-packages",
    "turtledemo",
    "__pycache__",
    "ensurepip",
}
SHORTEST = 20
"""Characters; shorter docstrings say nothing."""


def entries() -> Iterator[dict[str, Any]]:
    """One document per module, class and function that has a docstring, in a stable order."""
    root = Path(sysconfig.get_paths()["stdlib"])
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if SKIPPED.isdisjoint(relative.parts):
            yield from _source_entries(path, _module_name(relative))
    for name in sorted(sys.builtin_module_names):
        if not name.startswith("_"):
            yield from _builtin_entries(name)


def _module_name(relative: Path) -> str:
    parts = relative.with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _source_entries(path: Path, module: str) -> Iterator[dict[str, Any]]:
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return
    yield from _walk(tree, module, module)


def _walk(node: ast.AST, qualified: str, module: str) -> Iterator[dict[str, Any]]:
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        kind = {ast.Module: "module", ast.ClassDef: "class"}.get(type(node), "function")
        yield from _entry(qualified, kind, module, ast.get_docstring(node))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _walk(child, f"{qualified}.{child.name}", module)


def _builtin_entries(name: str) -> Iterator[dict[str, Any]]:
    module = __import__(name)
    yield from _entry(name, "module", name, inspect.getdoc(module))
    for member, value in sorted(vars(module).items()):
        if not member.startswith("_") and callable(value):
            kind = "class" if inspect.isclass(value) else "function"
            yield from _entry(f"{name}.{member}", kind, name, inspect.getdoc(value))


def _entry(qualified: str, kind: str, module: str, text: str | None) -> Iterator[dict[str, Any]]:
    if text is None or len(text) < SHORTEST or _is_private(qualified):
        return
    yield {
        "_id": f"{kind}:{qualified}",
        "name": qualified,
        "title": qualified.replace(".", " ").replace("_", " "),
        "text": text,
        "kind": kind,
        "module": module.split(".")[0],
    }


def _is_private(qualified: str) -> bool:
    return any(part.startswith("_") for part in qualified.split("."))


def unique_entries() -> list[dict[str, Any]]:
    """The entries, the first of each `_id`."""
    return list({entry["_id"]: entry for entry in reversed(list(entries()))}.values())[::-1]
