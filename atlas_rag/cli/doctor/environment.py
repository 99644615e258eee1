"""Looks at this machine: Python, the packages, the extras, the folder."""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from atlas_rag.cli.doctor.finding import Finding

NEEDED = ("pymongo", "pydantic", "numpy")
OLDEST_PYTHON = (3, 11)
OF_EXTRA = re.compile(r"(?P<name>[\w.-]+).*;.*extra == ['\"](?P<extra>[\w-]+)['\"]")
"""A requirement of an extra, as metadata spell it."""


def environment(folder: Path) -> Iterator[Finding]:
    """What is here.

    Args:
        folder: of the in-process engine; it need not exist.
    """
    yield _python()
    yield Finding("atlas-rag", _version("atlas-rag") or "runs from source, not installed")
    yield from map(_package, NEEDED)
    yield _compiled()
    yield from _extras()
    yield _folder(folder)


def _python() -> Finding:
    seen = f"{platform.python_version()} on {platform.system()} {platform.machine()}"
    if sys.version_info < OLDEST_PYTHON:
        return Finding("Python", seen, "ill", "use Python 3.11 or later")
    return Finding("Python", seen)


def _package(name: str) -> Finding:
    found = _version(name)
    if found is None:
        return Finding(name, "is not installed", "ill", f"pip install {name}")
    return Finding(name, found)


def _compiled() -> Finding:
    import bson

    if bson.has_c():
        return Finding("BSON", "compiled")
    return Finding("BSON", "pure Python: several times slower", "note", "install PyMongo from a wheel")


def _extras() -> Iterator[Finding]:
    """Each extra, and what of it is missing. An extra that nobody needs is no fault."""
    for extra, packages in sorted(_packages_of_extras().items()):
        missing = [name for name in packages if _version(name) is None]
        if missing:
            remedy = f'pip install "atlas-rag[{extra}]" where you need it'
            yield Finding(f"[{extra}]", f"without {', '.join(missing)}", "note", remedy)
        else:
            yield Finding(f"[{extra}]", ", ".join(f"{name} {_version(name)}" for name in packages))


def _packages_of_extras() -> dict[str, list[str]]:
    """Distribution names by extra, as the installed metadata says; that of development left out."""
    try:
        lines = requires("atlas-rag") or []
    except PackageNotFoundError:
        return {}
    found: dict[str, list[str]] = {}
    for line in lines:
        match = OF_EXTRA.match(line)
        if match and match["extra"] != "dev":
            found.setdefault(match["extra"], []).append(match["name"])
    return found


def _folder(folder: Path) -> Finding:
    nearest = next(one for one in (folder.absolute(), *folder.absolute().parents) if one.exists())
    if os.access(nearest, os.W_OK):
        return Finding("folder", str(folder))
    return Finding("folder", f"{folder} cannot be written", "ill", "set ATLAS_RAG_FOLDER to one that can")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
