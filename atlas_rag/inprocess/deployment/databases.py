"""The collections of a deployment by database and name: made, found, renamed, dropped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from atlas_rag.inprocess.deployment.namespace import Log, Namespace
from atlas_rag.inprocess.errors import CommandError


class Databases:
    """All databases.

    Args:
        log: takes one record for each change.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._databases: dict[str, dict[str, Namespace]] = {}

    def existing(self, database: str, name: str) -> Namespace | None:
        """Returns a collection, or None."""
        return self._databases.get(database, {}).get(name)

    def collection(self, database: str, name: str) -> Namespace:
        """Returns a collection, made now when it was not there. Raises 73 for a forbidden name."""
        return self.existing(database, name) or self.create(database, name)

    def create(self, database: str, name: str, options: Mapping[str, Any] | None = None) -> Namespace:
        """Makes a collection. Raises 73 for a forbidden name."""
        check_name(database, name)
        made = self.add(Namespace(database, name, self._log, options=options))
        self._log(made.creation_record())
        return made

    def add(self, namespace: Namespace) -> Namespace:
        """Puts a collection into its database."""
        self._databases.setdefault(namespace.database, {})[namespace.name] = namespace
        return namespace

    def drop(self, database: str, name: str) -> None:
        """Removes a collection; a database without collections is gone."""
        self._take_out(database, name)
        self._log({"op": "drop", "ns": f"{database}.{name}"})

    def rename(self, namespace: Namespace, database: str, name: str) -> None:
        """Moves a collection to another name, which is free. Raises 73 for a forbidden one."""
        check_name(database, name)
        old = namespace.full_name
        self._take_out(namespace.database, namespace.name)
        namespace.rename(database, name)
        self.add(namespace)
        self._log({"op": "rename", "ns": old, "to": namespace.full_name})

    def _take_out(self, database: str, name: str) -> None:
        del self._databases[database][name]
        if not self._databases[database]:
            del self._databases[database]

    def collections(self, database: str) -> list[Namespace]:
        """Returns the collections of a database."""
        return list(self._databases.get(database, {}).values())

    def names(self) -> list[str]:
        """Returns the names of all databases, sorted."""
        return sorted(self._databases)


def check_name(database: str, name: str) -> None:
    """Refuses a name that no collection may have. Raises 73."""
    if not database or len(database) > 63 or any(letter in database for letter in '/\\. "$\0'):
        raise CommandError(73, f"Invalid database name: '{database}'")
    if "$" in name:
        raise CommandError(73, f"Invalid collection name: {name}")
    if name.startswith("system."):
        raise CommandError(73, f"Invalid system namespace: {database}.{name}")
