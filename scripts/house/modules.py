"""The modules of the package: their lines, and which imports which, wherever the import stands."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "atlas_rag"
WING_TWO = "atlas_rag.inprocess"

Graph = Mapping[str, frozenset[str]]


def modules() -> dict[str, Path]:
    """Every module of the package by name."""
    return {_name(path): path for path in sorted(PACKAGE.rglob("*.py"))}


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def lines(path: Path) -> int:
    """How many lines a file has."""
    return len(path.read_text(encoding="utf-8").splitlines())


def imports() -> Graph:
    """By module: what it imports, inside functions and under `TYPE_CHECKING` as well."""
    known = modules()
    return {name: frozenset(_imported(path, known)) - {name} for name, path in known.items()}


def _imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names if one.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module in known:
            inner = [f"{node.module}.{one.name}" for one in node.names]
            yield from (one for one in inner if one in known)
            if any(one not in known for one in inner):
                yield node.module


def circles(graph: Graph) -> list[list[str]]:
    """Groups of modules that import each other, each in alphabetical order; Tarjan's algorithm."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    waiting: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        waiting.append(name)
        for other in graph[name]:
            if other not in index:
                visit(other)
            if other in waiting:
                low[name] = min(low[name], low[other])
        if low[name] == index[name]:
            position = waiting.index(name)
            group, waiting[position:] = waiting[position:], []
            if len(group) > 1:
                found.append(sorted(group))

    for name in graph:
        if name not in index:
            visit(name)
    return sorted(found)
