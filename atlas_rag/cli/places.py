"""Where a command works: an address that is never printed, or else the in-process engine's folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from atlas_rag.errors import CallError

if TYPE_CHECKING:
    from pymongo import MongoClient

URI_VARIABLE = "ATLAS_RAG_URI"
FOLDER_VARIABLE = "ATLAS_RAG_FOLDER"
DEFAULT_FOLDER = ".atlas_rag"


def folder(given: Path | None = None) -> Path:
    """The folder of the in-process engine: the one given, `ATLAS_RAG_FOLDER`, or `.atlas_rag` here."""
    return given or Path(os.environ.get(FOLDER_VARIABLE, DEFAULT_FOLDER))


@contextmanager
def client(uri: str | None = None, local: Path | None = None, uri_file: Path | None = None) -> Iterator[Any]:
    """A client of the deployment at `uri`, in `uri_file` or `ATLAS_RAG_URI`, else of the in-process engine.

    Raises:
        CallError: INVALID_OPTION, the address cannot be used; it is not told, since it holds a password.
    """
    address = uri or _read_address(uri_file) or os.environ.get(URI_VARIABLE)
    if address:
        with _remote(address) as remote:
            yield remote
    else:
        from atlas_rag import LocalClient

        with LocalClient(folder(local) / "data") as here:
            yield here


def _read_address(file: Path | None) -> str:
    if file is None:
        return ""
    try:
        return file.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise CallError(f"{file.name} cannot be read", expected="a file with a connection string") from error


def _remote(address: str) -> MongoClient[dict[str, Any]]:
    from pymongo import MongoClient
    from pymongo.errors import PyMongoError

    try:
        return MongoClient(address, appname="atlas-rag")
    except (PyMongoError, ValueError) as error:
        raise CallError(
            f"The connection string cannot be used ({type(error).__name__})",
            expected="mongodb:// or mongodb+srv://, with special characters in user and password escaped",
        ) from None
