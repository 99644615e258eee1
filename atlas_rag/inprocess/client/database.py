"""A database of the in-process engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Unpack

from bson import DBRef
from pymongo.errors import AutoReconnect, CollectionInvalid, InvalidName, InvalidOperation

from atlas_rag.inprocess.client.collection import LocalCollection
from atlas_rag.inprocess.client.command import as_command, change_stream, given_only, in_session
from atlas_rag.inprocess.client.cursor import LocalCommandCursor
from atlas_rag.inprocess.client.errors import checked
from atlas_rag.inprocess.client.options import Optioned, Options
from atlas_rag.inprocess.copies import given, owned
from atlas_rag.inprocess.deployment.faults import ConnectionLost

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.client import LocalClient

Document = dict[str, Any]


class LocalDatabase(Optioned):
    """A database. `database["name"]` or `database.name` is a collection."""

    def __init__(self, client: LocalClient, name: str, options: Options | None = None) -> None:
        super().__init__(options, client)
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
        if not name or ".." in name or name.startswith(".") or name.endswith(".") or "\0" in name:
            raise InvalidName(f"collection names cannot be {name!r}")
        return LocalCollection(self, name, options)

    def with_options(self, **options: Unpack[Options]) -> LocalDatabase:
        """Returns the database with these options; see `options.check_options`."""
        together: Any = {**self._options, **options}
        return LocalDatabase(self.client, self.name, together)

    def __next__(self) -> NoReturn:
        raise TypeError("'LocalDatabase' object is not iterable")

    next = __next__

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

    # ---------------------------------------------------------------- any command

    def command(
        self,
        /,
        command: str | Mapping[str, Any],
        value: Any = 1,
        check: bool = True,
        allowable_errors: Sequence[str | int] | None = None,
        read_preference: Any = None,
        codec_options: Any = None,
        session: Any = None,
        **options: Any,
    ) -> Document:
        """Runs any command and returns the reply. Raises `OperationFailure`.

        Args:
            command: the command document, or its name.
            value: of the first field, when only the name is given.
            check: whether a reply that failed is raised.
            allowable_errors: codes and texts of failures that are returned.
            read_preference, codec_options: as for `get_database`.
            options: further fields.
        """
        Optioned({"read_preference": read_preference, "codec_options": codec_options})
        document = {command: value} if isinstance(command, str) else dict(command)
        reply = self._send(in_session({**document, **given_only(options)}, session))
        allowed = allowable_errors or ()
        if check and reply.get("code") not in allowed and reply.get("errmsg") not in allowed:
            checked(reply)
        return dict(reply)

    def cursor_command(
        self,
        /,
        command: str | Mapping[str, Any],
        value: Any = 1,
        read_preference: Any = None,
        codec_options: Any = None,
        session: Any = None,
        comment: Any = None,
        max_await_time_ms: int | None = None,
        **options: Any,
    ) -> LocalCommandCursor:
        """Runs a command whose reply has a cursor, and returns that. Raises `InvalidOperation` for others."""
        how = {"read_preference": read_preference, "codec_options": codec_options, "session": session}
        extra = {"comment": comment, "maxTimeMS": max_await_time_ms, **options}
        reply = self.command(command, value, **how, **given_only(extra))
        if "cursor" not in reply:
            raise InvalidOperation("Command does not return a cursor.")
        _, _, name = reply["cursor"]["ns"].partition(".")
        return LocalCommandCursor(self._run_checked, LocalCollection(self, name), reply, session)

    def aggregate(self, /, pipeline: Sequence[Mapping[str, Any]], **options: Any) -> LocalCommandCursor:
        """Runs a pipeline that needs no collection, such as one that begins with `$documents`."""
        return self._aggregate(1, pipeline, options)

    def watch(
        self, /, pipeline: Sequence[Mapping[str, Any]] | None = None, **options: Any
    ) -> LocalCommandCursor:
        """Watches for changes, which the engine refuses by name."""
        return self._aggregate(1, change_stream(pipeline, options), options)

    # ---------------------------------------------------------------- collections

    def create_collection(self, name: str, check_exists: bool = True, **options: Any) -> LocalCollection:
        """Makes an empty collection. Raises `CollectionInvalid` when it exists and `check_exists` is set."""
        how: Any = {key: options.pop(key) for key in Options.__annotations__ if key in options}
        collection = self.get_collection(name, **how)
        if check_exists and name in self.list_collection_names():
            raise CollectionInvalid(f"collection {name} already exists")
        self._run_checked({"create": name, **options})
        return collection

    def drop_collection(self, /, name_or_collection: str | LocalCollection, **options: Any) -> Document:
        """Drops a collection with its indexes; a missing one is no error."""
        name = name_or_collection if isinstance(name_or_collection, str) else name_or_collection.name
        return dict(self._run_checked({"drop": name, **options}))

    def list_collections(
        self,
        /,
        session: Any = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002 - PyMongo's name
        **options: Any,
    ) -> LocalCommandCursor:
        """Returns a cursor over the collections' entries."""
        cursor = {"cursor": {}, **options}
        command = {"listCollections": 1, "filter": filter or {}, **cursor, "session": session}
        reply = self._run_checked(command)
        target = LocalCollection(self, "$cmd.listCollections")
        return LocalCommandCursor(self._run_checked, target, reply, session)

    def list_collection_names(
        self,
        /,
        session: Any = None,
        filter: Mapping[str, Any] | None = None,  # noqa: A002
        **options: Any,
    ) -> list[str]:
        """Returns the names of the collections."""
        return [entry["name"] for entry in self.list_collections(session, filter, **options)]

    def validate_collection(
        self,
        /,
        name_or_collection: str | LocalCollection,
        scandata: bool = False,
        full: bool = False,
        session: Any = None,
        background: bool | None = None,
        comment: Any = None,
    ) -> Document:
        """Checks a collection's documents and indexes. Raises `CollectionInvalid` where one is wrong."""
        name = name_or_collection if isinstance(name_or_collection, str) else name_or_collection.name
        extra = given_only({"background": background, "comment": comment, "session": session})
        reply = dict(self._run_checked({"validate": name, "scandata": scandata, "full": full, **extra}))
        if not reply["valid"]:
            raise CollectionInvalid(f"{name} invalid: {reply!r}")
        return reply

    def dereference(
        self, /, dbref: DBRef, session: Any = None, comment: Any = None, **options: Any
    ) -> Document | None:
        """Returns the document that a reference points to. Raises ValueError for another database's."""
        if not isinstance(dbref, DBRef):
            raise TypeError(f"cannot dereference a {type(dbref).__name__}")
        if dbref.database is not None and dbref.database != self.name:
            raise ValueError(
                f"trying to dereference a DBRef that points to {dbref.database!r}, not {self.name!r}"
            )
        return self[dbref.collection].find_one({"_id": dbref.id}, session=session, comment=comment, **options)

    # ---------------------------------------------------------------- the way to the deployment

    def _aggregate(
        self, target: str | int, pipeline: Sequence[Mapping[str, Any]], options: Mapping[str, Any]
    ) -> LocalCommandCursor:
        if not isinstance(pipeline, (list, tuple)):
            raise TypeError(f"pipeline must be a list, not {type(pipeline).__name__}")
        rest = dict(options)
        size = rest.pop("batch_size", rest.pop("batchSize", None))
        cursor = {} if size is None else {"batchSize": size}
        command = {"aggregate": target, "pipeline": list(pipeline), "cursor": cursor, **rest}
        collection = LocalCollection(self, "$cmd.aggregate" if target == 1 else str(target))
        reply = self._run_checked(command)
        return LocalCommandCursor(self._run_checked, collection, reply, rest.get("session"))

    def _run(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        return self._send(as_command(command))

    def _send(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            reply = self.client.deployment.run_command(self.name, owned(command))
        except ConnectionLost as loss:
            raise AutoReconnect(str(loss)) from loss
        copy: Mapping[str, Any] = given(reply)
        return copy

    def _run_checked(self, command: Mapping[str, Any]) -> Mapping[str, Any]:
        return checked(self._run(command))
