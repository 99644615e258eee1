"""The collections of a deployment by database and name: made, found, renamed, dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.deployment.namespace import Log, Namespace
from atlas_rag.inprocess.errors import CommandError


@dataclass(frozen=True)
class View:
    """A view: a pipeline on a collection, or on another view, of the same database."""

    database: str
    name: str
    source: str
    pipeline: list[Any]

    @property
    def options(self) -> dict[str, Any]:
        """What `listCollections` shows."""
        return {"viewOn": self.source, "pipeline": self.pipeline}

    def record(self) -> dict[str, Any]:
        """Returns the record that makes the view."""
        return {"op": "view", "ns": f"{self.database}.{self.name}", **self.options}


class Databases:
    """All databases.

    Args:
        log: takes one record for each change.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._databases: dict[str, dict[str, Namespace]] = {}
        self._views: dict[tuple[str, str], View] = {}

    def existing(self, database: str, name: str) -> Namespace | None:
        """Returns a collection, or None."""
        return self._databases.get(database, {}).get(name)

    def collection(self, database: str, name: str) -> Namespace:
        """Returns a collection, made now when it was not there. Raises 73 for a forbidden name."""
        return self.existing(database, name) or self.create(database, name)

    def create(self, database: str, name: str, options: Mapping[str, Any] | None = None) -> Namespace:
        """Makes a collection. Raises 73 for a forbidden name, 166 for that of a view."""
        check_name(database, name)
        self.refuse_view(database, name)
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
        return sorted({*self._databases, *(database for database, _ in list(self._views))})

    # ---------------------------------------------------------------- views

    def view(self, database: str, name: str) -> View | None:
        """Returns a view, or None."""
        return self._views.get((database, name))

    def views(self, database: str) -> list[View]:
        """Returns the views of a database."""
        return [view for view in list(self._views.values()) if view.database == database]

    def set_view(self, view: View) -> None:
        """Adds a view, or keeps its new definition."""
        self._views[view.database, view.name] = view
        self._log(view.record())

    def drop_view(self, view: View) -> None:
        """Forgets a view."""
        del self._views[view.database, view.name]
        self._log({"op": "dropView", "ns": f"{view.database}.{view.name}"})

    def refuse_view(self, database: str, name: str) -> None:
        """Raises 166 where a collection is wanted and there is a view."""
        if (database, name) in self._views:
            raise CommandError(166, f"Namespace {database}.{name} is a view, not a collection")

    def share_views(self, other: Databases) -> None:
        """Takes over the views of others as they are now."""
        self._views = dict(other._views)


def check_name(database: str, name: str) -> None:
    """Refuses a name that no collection may have. Raises 73."""
    if not database or len(database) > 63 or any(letter in database for letter in '/\\. "$\0'):
        raise CommandError(73, f"Invalid database name: '{database}'")
    if "$" in name:
        raise CommandError(73, f"Invalid collection name: {name}")
    if name.startswith("system."):
        raise CommandError(73, f"Invalid system namespace: {database}.{name}")
