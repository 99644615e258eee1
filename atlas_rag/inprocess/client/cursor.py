"""Cursors over results of the in-process engine, in PyMongo's shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, TypeVar

from pymongo.errors import InvalidOperation

Document = dict[str, Any]
Run = Callable[[Mapping[str, Any]], Mapping[str, Any]]
Self = TypeVar("Self", bound="LocalCommandCursor")


class LocalCommandCursor:
    """Iterates over a reply's first batch and takes the rest with `getMore`.

    Args:
        run: runs one command and returns its reply; raises PyMongo's errors.
        collection: name for `getMore`.
        reply: with `cursor`; None until the command has run.
    """

    def __init__(self, run: Run, collection: str, reply: Mapping[str, Any] | None) -> None:
        self._run = run
        self._collection = collection
        self._batch: Iterator[Document] = iter(())
        self._batch_size: int | None = None
        self._identifier = 0
        self._closed = False
        self._start(reply)

    def _start(self, reply: Mapping[str, Any] | None) -> None:
        if reply is not None:
            self._identifier = reply["cursor"]["id"]
            self._batch = iter(reply["cursor"]["firstBatch"])

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

    def __next__(self) -> Document:
        while True:
            for document in self._batch:
                return document
            if self._closed or not self._identifier:
                raise StopIteration
            self._more()

    next = __next__

    def _more(self) -> None:
        command: Document = {"getMore": self._identifier, "collection": self._collection}
        if self._batch_size:
            command["batchSize"] = self._batch_size
        cursor = self._run(command)["cursor"]
        self._identifier = cursor["id"]
        self._batch = iter(cursor["nextBatch"])

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
            self._run({"killCursors": self._collection, "cursors": [self._identifier]})
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


class LocalCursor(LocalCommandCursor):
    """The cursor of `find`: the command runs at the first document, so options can be added before."""

    def __init__(self, run: Run, collection: str, command: Document) -> None:
        super().__init__(run, collection, None)
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
        if batch_size < 0:
            raise ValueError("batch_size must be >= 0")
        self._batch_size = batch_size
        return self._set(**({"batchSize": batch_size} if batch_size else {}))

    def hint(self, index: str | Sort | None) -> LocalCursor:
        """Names an index, which must exist and is not needed."""
        return self._set(hint=index if isinstance(index, str) or index is None else as_sort(index))

    def comment(self, comment: Any) -> LocalCursor:
        """Adds a comment to the command."""
        return self._set(comment=comment)

    def max_time_ms(self, max_time_ms: int | None) -> LocalCursor:
        """Limits the time of the command, in milliseconds."""
        return self._set(**({} if max_time_ms is None else {"maxTimeMS": max_time_ms}))

    def clone(self) -> LocalCursor:
        """Returns a cursor with the same options that has not begun."""
        copy = LocalCursor(self._run, self._collection, dict(self._command))
        copy._batch_size = self._batch_size
        return copy

    def rewind(self) -> LocalCursor:
        """Begins anew."""
        self._begun = self._closed = False
        self._identifier, self._batch = 0, iter(())
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
