"""Where a command works: an address that is never printed, or else the in-process engine's folder."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from atlas_rag.errors import CallError, Code, ServerError

if TYPE_CHECKING:
    from pymongo import MongoClient

URI_VARIABLE = "ATLAS_RAG_URI"
FOLDER_VARIABLE = "ATLAS_RAG_FOLDER"
DEFAULT_FOLDER = ".atlas_rag"
PATIENCE_MS = {"serverSelectionTimeoutMS": 8000, "connectTimeoutMS": 8000}
"""Milliseconds given to a deployment that does not answer, where its address says nothing else."""
QUIET = 1.0
"""Seconds before a command says whom it is waiting for."""


def folder(given: Path | None = None) -> Path:
    """The folder of the in-process engine: the one given, `ATLAS_RAG_FOLDER`, or `.atlas_rag` here."""
    return given or Path(os.environ.get(FOLDER_VARIABLE, DEFAULT_FOLDER))


def history(name: str) -> Path:
    """The history of an experiment by its name, or a folder that holds one."""
    given = Path(name)
    return given if given.is_dir() else folder() / "history" / name


@contextmanager
def client(
    uri: str | None = None,
    local: Path | None = None,
    uri_file: Path | None = None,
    *,
    simulate_loss: bool = False,
) -> Iterator[Any]:
    """A client of the deployment at `uri`, in `uri_file` or `ATLAS_RAG_URI`, else of the in-process engine.

    Args:
        simulate_loss: whether the in-process engine's approximate searches may miss hits.
    Raises:
        CallError: INVALID_OPTION, the address cannot be used; it is not told, since it holds a password.
        ServerError: SERVER_UNREACHABLE, nothing answers; AUTHENTICATION_FAILED.
    """
    given = address(uri, uri_file)
    if given:
        with _remote(given) as remote:
            _reach(remote, hosts(given))
            yield remote
    else:
        from atlas_rag import LocalClient

        with LocalClient(folder(local) / "data", simulate_loss=simulate_loss) as here:
            yield here


@contextmanager
def collection(
    namespace: str, uri: str | None = None, local: Path | None = None, uri_file: Path | None = None
) -> Iterator[Any]:
    """The collection `database.collection` of a deployment; see `client`.

    Raises:
        CallError: INVALID_OPTION, the namespace is none.
    """
    database, dot, name = namespace.partition(".")
    if not (database and dot and name):
        raise CallError(f"The namespace is {namespace!r}", expected="database.collection")
    with client(uri, local, uri_file) as opened:
        yield opened[database][name]


def address(uri: str | None, uri_file: Path | None) -> str:
    """The address that was given, or "" for the in-process engine."""
    return uri or _read_address(uri_file) or os.environ.get(URI_VARIABLE, "")


def hosts(address: str) -> str:
    """The part of an address that may be told: neither user nor password, nor options."""
    return address.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]


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

    patience: dict[str, Any] = {
        name: limit for name, limit in PATIENCE_MS.items() if name.lower() not in address.lower()
    }
    try:
        return MongoClient(address, appname="atlas-rag", **patience)
    except (PyMongoError, ValueError) as error:
        if _is_of_names(error):
            raise _unreachable(f"The name {hosts(address)} cannot be looked up") from None
        raise CallError(
            f"The connection string cannot be used ({type(error).__name__})",
            expected="mongodb:// or mongodb+srv://, with special characters in user and password escaped",
        ) from None


def _reach(remote: MongoClient[dict[str, Any]], where: str) -> None:
    """Asks once whether anything answers, so that no command waits several times for nobody."""
    from pymongo.errors import PyMongoError

    from atlas_rag.drivers.failures import translate

    seconds = remote.options.server_selection_timeout
    notice = Timer(QUIET, lambda: sys.stderr.write(f"waiting for {where}, {seconds:g} s at most\n"))
    notice.daemon = True
    notice.start()
    try:
        remote.admin.command("ping")
    except PyMongoError as error:
        found = translate(error)
        if found.code is not Code.SERVER_UNREACHABLE:
            raise found from None
        raise _unreachable(f"No server at {where} answered within {seconds:g} s") from None
    finally:
        notice.cancel()


def _is_of_names(error: BaseException) -> bool:
    """Whether a failure to make a client comes of a name that is not known, and not of the address's form."""
    from dns.exception import DNSException

    return isinstance(error.__cause__ or error.__context__, DNSException)


def _unreachable(problem: str) -> ServerError:
    return ServerError(
        problem,
        expected="a deployment that this machine can reach",
        next_step="check that it runs, the address, the network access list and TLS: atlas-rag doctor; "
        "serverSelectionTimeoutMS in the address waits longer",
        code=Code.SERVER_UNREACHABLE,
    )
