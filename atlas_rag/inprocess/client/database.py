"""A database of the in-process engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from pymongo.errors import AutoReconnect, CollectionInvalid, InvalidName

from atlas_rag.inprocess.client.collection import LocalCollection
from atlas_rag.inprocess.client.cursor import LocalCommandCursor
from atlas_rag.inprocess.client.errors import checked
from atlas_rag.inprocess.client.options import Options, check_options
from atlas_rag.inprocess.copies import given, owned
from atlas_rag.inprocess.deployment.faults import ConnectionLost

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.client import LocalClient

Document = dict[str, Any]


class LocalDatabase:
    """A database. `database["name"]` or `database.name` is a collection."""

    def __init__(self, client: LocalClient, name: str) -> None:
        self.client = client
        self.name = name

    def __getitem__(self, name: str) -> LocalCollection:
        return self.get_collection(name)

    def __getattr__(self, name: str) -> LocalCollection:
        if name.startswith("_"):
            raise AttributeError(
                f"no attribute {name!r}; for a collection of that name use database[{name!r}]"
            )
        return self.get_collection(name)

    def get_collection(self, name: str, **options: Unpack[Options]) -> LocalCollection:
        """Returns a collection, whether it exists or not; see `options`. Raises `InvalidName`."""
        check_options(**options)
        if not name or ".." in name or name.startswith(".") or name.endswith(".") or "\0" in name:
            raise InvalidName(f"collection names cannot be {name!r}")
        return LocalCollection(self, name)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LocalDatabase):
            return self.client is other.client and self.name == other.name
        return NotImplemented

    def __hash__(self) -> int:
        return hash((id(self.client), self.name))

    def __bool__(self) -> bool:
        raise NotImplementedError("a database has no truth value; compare with None instead")

    def __repr__(self) -> str:
        return f"LocalDatabase({self.name!r})"

    def command(self, command: str | Mapping[str, Any], value: Any = 1, **options: Any) -> Document:
        """Runs any command and returns the reply. Raises `OperationFailure`.

        Args:
            command: the command document, or its name.
            value: of the first field, when only the name is given.
            options: further fields.
        """
        document = {command: value} if isinstance(command, str) else dict(command)
        return dict(self._run_checked({**document, **options}))

    def aggregate(self, pipeline: Sequence[Mapping[str, Any]], **options: Any) -> LocalCommandCursor:
        """Runs a pipeline that needs no collection, such as one that begins with `$documents`."""
        return self._aggregate(1, pipeline, options)

    def create_collection(self, name: str, **options: Any) -> LocalCollection:
        """Makes an empty collection. Raises `CollectionInvalid` when it exists."""
        if name in self.list_collection_names():
            raise CollectionInvalid(f"collection {name} already exists")
        self._run_checked({"create": name, **options})
        return self.get_collection(name)

    def drop_collection(self, name_or_collection: str | LocalCollection) -> Document:
        """Drops a collection with its indexes; a missing one is no error."""
        name = name_or_collection if isinstance(name_or_collection, str) else name_or_collection.name
        return dict(self._run_checked({"drop": name}))

    def list_collections(self, filter: Mapping[str, Any] | None = None) -> LocalCommandCursor:  # noqa: A002
        """Returns a cursor over the collections' entries."""
        reply = self._run_checked({"listCollections": 1, "filter": filter or {}, "cursor": {}})
        return LocalCommandCursor(self._run_checked, "$cmd.listCollections", reply)

    def list_collection_names(self, filter: Mapping[str, Any] | None = None) -> list[str]:  # noqa: A002
        """Returns the names of the collections."""
        return [entry["name"] for entry in self.list_collections(filter)]

    # ---------------------------------------------------------------- the way to the deployment

    def _aggregate(
        self, target: str | int, pipeline: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
    ) -> LocalCommandCursor:
        if not isinstance(pipeline, (list, tuple)):
            raise TypeError(f"pipeline must be a list, not {type(pipeline).__name__}")
        rest = dict(options)
        size = rest.pop("batchSize", None)
        cursor = {} if size is None else {"batchSize": size}
        command = {"aggregate": target, "pipeline": list(pipeline), "cursor": cursor, **rest}
        name = "$cmd.aggregate" if target == 1 else str(target)
        return LocalCommandCursor(self._run_checked, name, self._run_checked(command))

    def _run(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            reply = self.client.deployment.run_command(self.name, owned(command))
        except ConnectionLost as loss:
            raise AutoReconnect(str(loss)) from loss
        copy: Mapping[str, Any] = given(reply)
        return copy

    def _run_checked(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        return checked(self._run(command))
