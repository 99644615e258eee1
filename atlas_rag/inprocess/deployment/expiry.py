"""TTL indexes: documents whose time has come are deleted, by a thread that looks now and then."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.store.unique import Step, entries

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment


class Expiry:
    """Looks every `ttlMonitorSleepSecs` seconds, once a collection has had a TTL index.

    Args:
        lock: held while documents are looked at and deleted.
    """

    def __init__(self, deployment: Deployment, lock: threading.RLock) -> None:
        self._deployment = deployment
        self._lock = lock
        self._wake = threading.Event()
        self._stopped = False
        self._thread: threading.Thread | None = None
        deployment.parameters.changed = self._wake.set
        if any(_ttl_indexes(namespace) for namespace in self._namespaces()):
            self.begin()

    def begin(self) -> None:
        """Starts the thread, if it is not there."""
        if self._thread is None and not self._stopped:
            self._thread = threading.Thread(target=self._run, name="atlas-rag-ttl", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopped = True
        self._wake.set()
        if self._thread is not None:
            self._thread.join()

    def _run(self) -> None:
        parameters = self._deployment.parameters
        while not self._stopped:
            changed = self._wake.wait(parameters["ttlMonitorSleepSecs"])
            self._wake.clear()
            if not changed and not self._stopped and parameters["ttlMonitorEnabled"]:
                self.look()

    def look(self) -> int:
        """Deletes what has expired and returns how many documents that were."""
        now = datetime.now(UTC).replace(tzinfo=None)
        with self._lock:
            deleted = sum(_expire(namespace, now) for namespace in self._namespaces())
            self._deployment.commit(durable=True)
        self._deployment.counters.expired += deleted
        self._deployment.counters.expiry_passes += 1
        return deleted

    def _namespaces(self) -> Iterator[Namespace]:
        databases = self._deployment.databases
        for database in databases.names():
            yield from databases.collections(database)


def _ttl_indexes(namespace: Namespace) -> list[Mapping[str, Any]]:
    return [index for index in namespace.indexes.values() if "expireAfterSeconds" in index]


def _expire(namespace: Namespace, now: datetime) -> int:
    deleted = 0
    for index in _ttl_indexes(namespace):
        (path,) = index["key"]
        limit = now - timedelta(seconds=index["expireAfterSeconds"])
        applies = compile_filter(index.get("partialFilterExpression", {}))
        for key, document in list(namespace.rows):
            if key not in namespace.rows.held and _expired(document, path, limit) and applies(document):
                namespace.remove(key)
                deleted += 1
    return deleted


def _expired(document: Mapping[str, Any], path: str, limit: datetime) -> bool:
    """Whether the earliest date at a path has passed; documents without a date never expire."""
    values = (value for (value,) in entries([Step(document, path.split("."))]))
    dates = [value for value in values if isinstance(value, datetime)]
    return bool(dates) and min(dates) <= limit
