"""The in-process engine as a client."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Unpack

from pymongo import AsyncMongoClient, MongoClient
from pymongo.client_session import SessionOptions, TransactionOptions  # type: ignore[attr-defined]
from pymongo.errors import ConfigurationError, InvalidOperation, OperationFailure
from pymongo.results import ClientBulkWriteResult

from atlas_rag.inprocess.client.attachment import Attachment
from atlas_rag.inprocess.client.bulk_across import BulkAcross
from atlas_rag.inprocess.client.collection import LocalCollection
from atlas_rag.inprocess.client.command import change_stream
from atlas_rag.inprocess.client.cursor import LocalCommandCursor
from atlas_rag.inprocess.client.database import LocalDatabase
from atlas_rag.inprocess.client.identity import ServerlessClient
from atlas_rag.inprocess.client.loopback import Loopback
from atlas_rag.inprocess.client.options import Optioned, Options
from atlas_rag.inprocess.client.session import LocalSession
from atlas_rag.inprocess.deployment import Deployment
from atlas_rag.inprocess.models import TextEmbedder, TextReranker

Document = dict[str, Any]


class LocalClient(ServerlessClient):
    """A client whose deployment is in this process: no server, no network.

    ```
    client = LocalClient()                       # in memory
    client = LocalClient("data/")                # kept on disk, one client at a time
    client = LocalClient(server_version="8.0")   # stages and error codes of that release
    ```

    Args:
        path: folder to keep everything in; made when absent.
        server_version: "7.0", "8.0", "8.2" or "9.0".
        index_delay: seconds, ≥ 0, until a new search index is queryable; `math.inf` to wait for
            `finish_index_builds`. For testing code that waits.
        simulate_loss: approximate vector searches may miss hits, fewer the more `numCandidates` they ask for,
            and the same ones each time. Otherwise they miss none. For trying how many candidates are enough.
        models: embedders for fields of type "autoEmbed", by the names that definitions and queries use:
            objects with `embed_query` and `embed_documents`, such as `atlas_rag.embed` has.
        rerankers: what `$rerank` asks, by name: objects with `rerank(query, texts)`.
        clock: monotonic seconds.

    Raises:
        FolderBusy: another client has the folder open.
    """

    def __init__(
        self,
        path: Path | str | None = None,
        *,
        server_version: str = "8.2",
        index_delay: float = 0.0,
        simulate_loss: bool = False,
        models: Mapping[str, TextEmbedder] | None = None,
        rerankers: Mapping[str, TextReranker] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__()
        self._loopback: Loopback | None = None
        self._deployment: Deployment | None = Deployment(
            server_version,
            path,
            index_delay=index_delay,
            simulate_loss=simulate_loss,
            models=models,
            rerankers=rerankers,
            clock=clock,
        )

    @property
    def deployment(self) -> Deployment:
        """What runs the commands. Raises `InvalidOperation` after `close`."""
        if self._deployment is None:
            raise InvalidOperation("Cannot use LocalClient after close")
        return self._deployment

    def __getitem__(self, name: str) -> LocalDatabase:
        return LocalDatabase(self, name)

    def __getattr__(self, name: str) -> LocalDatabase:
        if name.startswith("_"):
            raise AttributeError(f"no attribute {name!r}; for a database of that name use client[{name!r}]")
        return LocalDatabase(self, name)

    def get_database(self, name: str | None = None, **options: Unpack[Options]) -> LocalDatabase:
        """Returns a database, whether it exists or not; see `options.check_options`.

        Raises:
            ConfigurationError: no name is given, and there is no connection string that names a default.
        """
        return self.get_default_database(**options) if name is None else LocalDatabase(self, name, options)

    def get_default_database(self, default: str | None = None, **options: Unpack[Options]) -> LocalDatabase:
        """Returns the database named as the default, since no connection string names one.

        Raises:
            ConfigurationError: no name is given.
        """
        if default is None:
            raise ConfigurationError("No default database name defined or provided.")
        return LocalDatabase(self, default, options)

    def list_database_names(self, /, session: Any = None, **options: Any) -> list[str]:
        """Returns the names of the databases."""
        return [entry["name"] for entry in self.list_databases(session, nameOnly=True, **options)]

    def list_databases(self, /, session: Any = None, **options: Any) -> LocalCommandCursor:
        """Returns a cursor over the databases' entries."""
        reply = self.admin._run_checked({"listDatabases": 1, **options, "session": session})
        cursor = {"cursor": {"id": 0, "firstBatch": reply["databases"]}}
        return LocalCommandCursor(self.admin._run_checked, self.admin["$cmd"], cursor, session)

    def drop_database(self, /, name_or_database: str | LocalDatabase, **options: Any) -> None:
        """Drops a database; a missing one is no error."""
        name = name_or_database if isinstance(name_or_database, str) else name_or_database.name
        self[name]._run_checked({"dropDatabase": 1, **options})

    def server_info(self, /, session: Any = None) -> Document:
        """Returns the reply to `buildInfo`."""
        return self.admin.command("buildInfo", session=session)

    def bulk_write(
        self,
        /,
        models: Sequence[Any],
        session: Any = None,
        ordered: bool = True,
        verbose_results: bool = False,
        *,
        write_concern: Any = None,
        **options: Any,
    ) -> ClientBulkWriteResult:
        """Runs PyMongo's models with a namespace, on any collections, in one command (release 8.0).

        Raises:
            ClientBulkWriteException: an operation failed.
        """
        Optioned({"write_concern": write_concern})
        bulk = BulkAcross()
        for model in models:
            bulk.add(model)
        command = bulk.command(ordered=ordered, verbose=verbose_results)
        reply = self.admin._run({**command, **options, "session": session})
        return bulk.result(self.admin._run_checked, reply, verbose=verbose_results)

    def start_session(
        self,
        causal_consistency: bool | None = None,
        default_transaction_options: TransactionOptions | None = None,
        snapshot: bool | None = False,
    ) -> LocalSession:
        """Begins a session, for transactions; operations are given it as `session`."""
        options = SessionOptions(causal_consistency, default_transaction_options, snapshot)
        return LocalSession(self, options)

    def watch(
        self, /, pipeline: Sequence[Mapping[str, Any]] | None = None, **options: Any
    ) -> LocalCommandCursor:
        """Watches for changes, which the engine refuses by name."""
        stages = change_stream(pipeline, options)
        stages[0]["$changeStream"]["allChangesForCluster"] = True
        return self.admin._aggregate(1, stages, options)

    # ---------------------------------------------------------------- PyMongo itself

    def as_pymongo(self, **options: Any) -> MongoClient[Document]:
        """Returns a real `MongoClient` of this deployment, for code that checks what it is given.

        It speaks to a server that listens on loopback for this purpose, with credentials of its own, until
        this client is closed; the caller closes the `MongoClient`.

        Args:
            options: PyMongo's, such as `tz_aware`.
        """
        return MongoClient(self._served().uri, **options)

    def as_pymongo_async(self, **options: Any) -> AsyncMongoClient[Document]:
        """Returns a real `AsyncMongoClient` of this deployment; see `as_pymongo`."""
        return AsyncMongoClient(self._served().uri, **options)

    def _served(self) -> Loopback:
        if self._loopback is None:
            self._loopback = Loopback(self.deployment)
        return self._loopback

    def load(self, source: Any, *, name: str | None = None) -> LocalCollection:
        """Copies a collection of any PyMongo-shaped client, mongomock's among them, with its search indexes.

        Args:
            source: a synchronous collection; its database's name is kept.
            name: of the new collection; the source's by default.

        Returns:
            The new collection. It does not follow later changes of its source; see `attach`.
        """
        return self.attach(source, name=name).collection

    def attach(self, source: Any, *, name: str | None = None) -> Attachment:
        """Copies a collection as `load` does, and can take over later changes (`refresh`)."""
        target = self[source.database.name][name or source.name]
        attachment = Attachment(source, target)
        attachment.refresh()
        if models := _search_indexes(source):
            target.create_search_indexes(models)
        return attachment

    def finish_index_builds(self) -> None:
        """Makes every search index that is being built queryable now."""
        self.deployment.finish_index_builds()

    def close(self) -> None:
        """Saves everything that is to be kept and lets the next client in."""
        if self._loopback is not None:
            self._loopback.close()
            self._loopback = None
        if self._deployment is not None:
            self._deployment.close()
            self._deployment = None

    def __enter__(self) -> LocalClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "closed" if self._deployment is None else f"server_version={str(self._deployment.release)!r}"
        return f"LocalClient({state})"


def _search_indexes(source: Any) -> list[Mapping[str, Any]]:
    """Returns the models of a collection's search indexes; none where there cannot be any."""
    try:
        listed = list(source.list_search_indexes())
    except (NotImplementedError, TypeError, OperationFailure):
        return []  # mongomock has no search indexes, nor has a server without search
    return [
        {"name": entry["name"], "type": entry.get("type", "search"), "definition": entry["latestDefinition"]}
        for entry in listed
    ]
