"""Where a command works: an address that is never printed, or else the in-process engine's folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

URI_VARIABLE = "ATLAS_RAG_URI"
FOLDER_VARIABLE = "ATLAS_RAG_FOLDER"
DEFAULT_FOLDER = ".atlas_rag"


def folder(given: Path | None = None) -> Path:
    """The folder of the in-process engine: the one given, `ATLAS_RAG_FOLDER`, or `.atlas_rag` here."""
    return given or Path(os.environ.get(FOLDER_VARIABLE, DEFAULT_FOLDER))


@contextmanager
def client(uri: str | None = None, local: Path | None = None) -> Iterator[Any]:
    """A client of the deployment at `uri` or `ATLAS_RAG_URI`, else of the in-process engine in `local`."""
    address = uri or os.environ.get(URI_VARIABLE)
    if address:
        from pymongo import MongoClient

        remote: MongoClient[dict[str, Any]] = MongoClient(address, appname="atlas-rag")
        with remote:
            yield remote
    else:
        from atlas_rag import LocalClient

        with LocalClient(folder(local) / "data") as here:
            yield here
