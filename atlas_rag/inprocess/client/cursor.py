"""Cursors over results of the in-process engine, in PyMongo's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from pymongo.collation import Collation
from pymongo.cursor import CursorType
from pymongo.errors import InvalidOperation

from atlas_rag.inprocess.client.command import as_command

if TYPE_CHECKING:
    from atlas_rag.inprocess.client.collection import LocalCollection
    from atlas_rag.inprocess.client.session import Session

Document = dict[str, Any]
Run = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Self = TypeVar("Self", bound="LocalCommandCursor")


class LocalCommandCursor:
    """Iterates over a reply's first batch and takes the rest with `getMore`.

    Args:
        run: runs one command and returns its reply; raises PyMongo's errors.
        collection: over which it goes; its name is that of `getMore`.
        reply: with `cursor`; None until the command has run.
        session: that the command was given, and every `getMore` is.
    """

    address: tuple[str, int] | None = None
    """None: no server is asked."""

    def __init__(
        self,
        run: Run,
        collection: LocalCollection,
        reply: Mapping[str, Any] | None,
        session: Session | None = None,
    ) -> None:
        self._run = run
        self.collection = collection
        self.session = session
        self.retrieved = 0
        self._batch: Iterator[Document] = iter(())
        self._batch_size: int | None = None
        self._identifier = 0
        self._closed = False
        self._start(reply)

    def _start(self, reply: Mapping[str, Any] | None) -> None:
        if reply is not None:
            self._take(reply["cursor"], "firstBatch")

    def _take(self, cursor: Mapping[str, Any], batch: str) -> None:
        self._identifier = cursor["id"]
        self._batch = iter(cursor[batch])
        self.retrieved += len(cursor[batch])

    @property
    def cursor_id(self) -> int:
        """The id by which the deployment knows the cursor; 0 when nothing is left there."""
        return self._identifier

    @property
    def alive(self) -> bool:
        """Whether more documents may come."""
        return not self._closed and bool(self._identifier)

    def __iter__(self: Self) -> Self:
        return self

    def buffered(self) -> Document | None:
        """Returns the next document if it has been taken from the deployment already, else None."""
        return next(self._batch, None)

    def buffered_rest(self) -> list[Document]:
        """Returns the documents that have been taken from the deployment already."""
        return list(self._batch)

    def batch_size(self: Self, batch_size: int) -> Self:
        """Takes further documents from the deployment in batches. `batch_size` ≥ 0; 0 leaves it open."""
        if batch_size < 0:
            raise ValueError("batch_size must be >= 0")
        self._batch_size = batch_size
        return self

    def try_next(self) -> Document | None:
        """Returns the next document, None where there is none now."""
        return next(self, None)

    def __next__(self) -> Document:
        while True:
            for document in self._batch:
                return document
            if self._closed or not self._identifier:
                raise StopIteration
            self._more()

    next = __next__

    def _more(self) -> None:
        command: Document = {"getMore": self._identifier, "collection": self.collection.name}
        if self._batch_size:
            command["batchSize"] = self._batch_size
        self._take(self._run({**command, "session": self.session})["cursor"], "nextBatch")

    def to_list(self, length: int | None = None) -> list[Document]:
        """Returns what is left, at most `length` documents (≥ 1; None for all)."""
        if length is None:
            return list(self)
        if length < 1:
            raise ValueError("to_list() length must be greater than 0")
        return [document for document, _ in zip(self, range(length), strict=False)]

    def close(self) -> None:
        """Lets the deployment forget the cursor."""
        self._closed = True
        if self._identifier:
            command = {"killCursors": self.collection.name, "cursors": [self._identifier]}
            self._run({**command, "session": self.session})
            self._identifier = 0

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


Sort = str | Sequence[tuple[str, Any]] | Mapping[str, Any]


def as_sort(sort: Sort, direction: Any = None) -> Document:
    """Returns PyMongo's forms of a sort as a document: a name, pairs, or a mapping."""
    if isinstance(sort, str):
        return {sort: 1 if direction is None else direction}
    if isinstance(sort, Mapping):
        return dict(sort)
    return dict((part, 1) if isinstance(part, str) else part for part in sort)


def as_projection(projection: Mapping[str, Any] | Sequence[str] | None) -> Document | None:
    """Returns a projection as a document; a list names the fields to include."""
    if projection is None or isinstance(projection, Mapping):
        return None if projection is None else dict(projection)
    return dict.fromkeys(projection, 1)


_OPTION_BITS = {2: "tailable", 16: "noCursorTimeout", 32: "awaitData", 128: "allowPartialResults"}
"""PyMongo's flags of a query, and what they are called in a command."""


class LocalCursor(LocalCommandCursor):
    """The cursor of `find`: the command runs at the first document, so options can be added before."""

    def __init__(self, run: Run, collection: LocalCollection, command: Document) -> None:
        super().__init__(run, collection, None, command.get("session"))
        self._command = command
        self._begun = False

    def _set(self, **options: Any) -> LocalCursor:
        if self._begun:
            raise InvalidOperation("cannot set options after executing query")
        self._command.update(options)
        return self

    def sort(self, key_or_list: Sort, direction: Any = None) -> LocalCursor:
        """Orders the result."""
        return self._set(sort=as_sort(key_or_list, direction))

    def skip(self, skip: int) -> LocalCursor:
        """Leaves out the first documents. `skip` ≥ 0."""
        if skip < 0:
            raise ValueError("skip must be >= 0")
        return self._set(skip=skip)

    def limit(self, limit: int) -> LocalCursor:
        """Returns at most this many documents; 0 for all."""
        return self._set(limit=abs(limit), singleBatch=limit < 0)

    def batch_size(self, batch_size: int) -> LocalCursor:
        """Takes documents from the deployment in batches. `batch_size` ≥ 0; 0 leaves it open."""
        super().batch_size(batch_size)
        return self._set(**({"batchSize": batch_size} if batch_size else {}))

    def hint(self, index: str | Sort | None) -> LocalCursor:
        """Names an index, which must exist and is not needed."""
        return self._set(hint=index if isinstance(index, str) or index is None else as_sort(index))

    def comment(self, comment: Any) -> LocalCursor:
        """Adds a comment to the command."""
        return self._set(comment=comment)

    def max_time_ms(self, max_time_ms: int | None) -> LocalCursor:
        """Limits the time of the command, in milliseconds."""
        return self._set(maxTimeMS=max_time_ms)

    def max_await_time_ms(self, max_await_time_ms: int | None) -> LocalCursor:
        """Limits the time that a tailable cursor waits, in milliseconds; other cursors never wait."""
        return self._set(maxAwaitTimeMS=max_await_time_ms)

    def allow_disk_use(self, allow_disk_use: bool) -> LocalCursor:
        """Allows a sort to use the disk, which none needs here."""
        return self._set(allowDiskUse=allow_disk_use)

    def collation(self, collation: Mapping[str, Any] | Collation | None) -> LocalCursor:
        """Compares text by a language's rules."""
        return self._set(collation=collation)

    def where(self, code: str) -> LocalCursor:
        """Adds a condition in JavaScript, which the engine refuses by name."""
        return self._set(filter={**self._command["filter"], "$where": str(code)})

    def max(self, spec: Sort) -> LocalCursor:
        """Ends before an index key, which the engine refuses by name."""
        return self._set(max=as_sort(spec))

    def min(self, spec: Sort) -> LocalCursor:
        """Begins at an index key, which the engine refuses by name."""
        return self._set(min=as_sort(spec))

    def max_scan(self, max_scan: int | None) -> LocalCursor:
        """Limits how many documents are looked at, which servers since 4.2 refuse, and the engine too."""
        return self._set(maxScan=max_scan)

    def add_option(self, mask: int) -> LocalCursor:
        """Sets options by their bits; see PyMongo. Raises ValueError for bits that say nothing."""
        return self._set(**dict.fromkeys(_named_bits(mask), True))

    def remove_option(self, mask: int) -> LocalCursor:
        """Takes options back by their bits."""
        return self._set(**dict.fromkeys(_named_bits(mask), False))

    def distinct(self, key: str) -> list[Any]:
        """Returns the distinct values of a field among the documents that match."""
        options = {name: self._command[name] for name in _OF_DISTINCT if name in self._command}
        return self.collection.distinct(key, self._command["filter"], **options)

    def explain(self) -> Document:
        """Returns the plan of the query, and how it went."""
        command = {name: value for name, value in self._command.items() if name != "session"}
        reply = self._run({"explain": as_command(command), "session": self.session})
        return dict(reply)

    def clone(self) -> LocalCursor:
        """Returns a cursor with the same options that has not begun."""
        copy = LocalCursor(self._run, self.collection, dict(self._command))
        copy._batch_size = self._batch_size
        return copy

    def rewind(self) -> LocalCursor:
        """Begins anew."""
        self._begun = self._closed = False
        self._identifier, self._batch, self.retrieved = 0, iter(()), 0
        return self

    def __next__(self) -> Document:
        if not self._begun and not self._closed:
            self._begun = True
            self._start(self._run(self._command))
        return super().__next__()

    next = __next__

    @property
    def alive(self) -> bool:
        """Whether more documents may come."""
        return not self._closed and (not self._begun or bool(self._identifier))


_OF_DISTINCT = ("hint", "collation", "comment", "maxTimeMS", "max_time_ms", "session")


def _named_bits(mask: int) -> list[str]:
    if not isinstance(mask, int):
        raise TypeError(f"mask must be an int, not {type(mask).__name__}")
    if mask & CursorType.EXHAUST:
        mask &= ~CursorType.EXHAUST  # batches that come unasked change no result
    if unknown := mask & ~sum(_OPTION_BITS):
        raise ValueError(f"a query has no option {unknown}; expected bits of {sorted(_OPTION_BITS)}")
    return [name for bit, name in _OPTION_BITS.items() if mask & bit]
