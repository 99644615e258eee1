"""The flow: compare, embed, check, write, remember."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from atlas_rag.embed import Embedder, as_embedder, embed_texts, known_dimensions
from atlas_rag.errors import AtlasRagError, CallError
from atlas_rag.loading import store
from atlas_rag.loading.batches import Batch, Limits, in_batches
from atlas_rag.loading.checkpoint import Checkpoint, Mark, Trail
from atlas_rag.loading.isolate import Isolation
from atlas_rag.loading.item import BadItem, Item
from atlas_rag.loading.report import LoadFailure, LoadReport, ProgressCallback, Stage
from atlas_rag.loading.target import Target, size_of
from atlas_rag.providers.texts import most_tokens
from atlas_rag.providers.usage import metered
from atlas_rag.wire import Flow, public_flow

DEFAULT_ATTEMPTS = 4


@public_flow
def load(
    namespace: str,
    items: Iterable[Item | BadItem],
    embedder: Any,
    *,
    target: Target | None = None,
    limits: Limits | None = None,
    attempts: int = DEFAULT_ATTEMPTS,
    checkpoint: Path | None = None,
    progress: ProgressCallback | None = None,
) -> Flow[LoadReport]:
    """Embeds items and upserts them under their ids. What is stored with the same content hash is left alone.

    May be killed at any moment and run again: every write is a whole document under its own id.

    Args:
        items: of `read_jsonl` or `read_items`; with a checkpoint something that can be read twice.
        embedder: an `Embedder`, or what `as_embedder` makes one of.
        target: names of the fields that are added. limits: of one embedding and of one write.
        attempts: of each request that fails in a way that may pass, ≥ 1; 0.5, 1, 2 … seconds apart.
        checkpoint: file that says how far loading came, so that a later run does not even look at what is
            done. It stands still at the first failure.
        progress: told after each batch.

    Returns:
        the counts, and each item that failed.

    Raises:
        CallError, RetrievalError: the embedder fails for everything. ServerError: the deployment does.
    """
    if attempts < 1:
        raise CallError(f"attempts is {attempts}", expected="1 or more")
    if checkpoint is not None and iter(items) is items:
        raise CallError(
            "The items can be read only once",
            expected="with a checkpoint: a list, or what read_jsonl returns",
        )
    taken = as_embedder(embedder)
    if not callable(getattr(taken, "embed_documents", None)):
        raise CallError(
            f"The embedder {taken.id!r} embeds questions only", next_step="give it embed_documents(texts)"
        )
    run = _Run(
        collection=namespace.partition(".")[2],
        embedder=taken,
        target=target or Target(),
        limits=limits or Limits(),
        attempts=attempts,
        checkpoint=Checkpoint(checkpoint, namespace),
        progress=progress,
    )
    return (yield from run.load(items))


class _Content(NamedTuple):
    position: int
    item: Item
    hash: str
    mark: Mark | None
    """What the checkpoint may say once this and all before it are stored; None after an unsound item."""


@dataclass(kw_only=True)
class _Run:
    """One run: the report, what waits to be written, and how far everything is dealt with."""

    collection: str
    embedder: Embedder
    target: Target
    limits: Limits
    attempts: int
    checkpoint: Checkpoint
    progress: ProgressCallback | None

    def __post_init__(self) -> None:
        self.report = LoadReport()
        self._trail = Trail()
        self._ids: set[str] = set()
        self._pending: Batch[tuple[_Content, dict[str, Any]]] = Batch(
            self.limits.write_items, self.limits.write_bytes
        )
        self._embedding, self._writing = Isolation(), Isolation()
        self._done: Mark | None = None

    def load(self, items: Iterable[Item | BadItem]) -> Flow[LoadReport]:
        """Runs to the end."""
        yield from known_dimensions(self.embedder, self.attempts)  # they are part of every content hash
        start = yield from self._resume(items)
        contents = self._contents(islice(items, start, None), start)
        batches = in_batches(
            contents,
            lambda one: most_tokens(one.item.text),
            self.limits.embed_items,
            self.limits.embed_tokens,
        )
        for batch in batches:
            yield from self._load(batch)
            self._tell()
        yield from self._flush()
        self._tell()
        return self.report

    def _resume(self, items: Iterable[Item | BadItem]) -> Flow[int]:
        """How many items a checkpoint vouches for: the same as before, and the last of them is stored."""
        mark = self.checkpoint.read()
        if mark is None or mark.position < 1:
            return 0
        passed = 0
        digest = ""
        for item in islice(items, mark.position):
            content = self._hash(item)
            if content is None or isinstance(item, BadItem):
                break
            digest = self._trail.add(content)
            self._ids.add(repr(item.id))
            passed += 1
        stored = yield from self._stored([mark.last_id])
        if passed == mark.position and digest == mark.digest and mark.last_hash in stored.values():
            self.report.read = self.report.resumed = passed
            return passed
        self._trail, self._ids = Trail(), set()
        return 0

    def _contents(self, items: Iterable[Item | BadItem], start: int) -> Iterator[_Content]:
        """The items that are sound, with their hashes; the others go into the report."""
        for position, item in enumerate(items, start):
            self.report.read += 1
            if isinstance(item, BadItem):
                self._fail(position, item.id, "read", item.problem)
            elif repr(item.id) in self._ids:
                self._fail(position, item.id, "read", "has the id of an item before it")
            else:
                self._ids.add(repr(item.id))
                content = self._hash(item)
                if content is None:
                    self._fail(position, item.id, "read", "holds a value that is no BSON")
                else:
                    yield _Content(position, item, content, self._mark(position, item, content))

    def _hash(self, item: Item | BadItem) -> str | None:
        try:
            return None if isinstance(item, BadItem) else self.target.content_hash(item, self.embedder)
        except (TypeError, ValueError, OverflowError):  # what the canonical text of odd values raises
            return None

    def _mark(self, position: int, item: Item, content: str) -> Mark | None:
        if self.report.failures:
            return None
        return Mark(position + 1, self._trail.add(content), item.id, content)

    def _load(self, batch: Sequence[_Content]) -> Flow[None]:
        """One embedding batch: what is new is embedded and waits to be written."""
        stored = yield from self._stored([one.item.id for one in batch])
        new = [one for one in batch if stored.get(repr(one.item.id)) != one.hash]
        self.report.unchanged += len(batch) - len(new)
        vectors: dict[int, Any] = {}
        failed = yield from self._embedding.run(new, partial(self._embed, vectors))
        for one, error in failed:
            self._fail(one.position, one.item.id, "embed", _problem(error))
        for one in batch:
            if one.position in vectors:
                yield from self._add(one, vectors.pop(one.position))
            self._done = one.mark

    def _add(self, one: _Content, vector: Any) -> Flow[None]:
        """Lets one document wait for its write; a full batch is written first."""
        try:
            document = self.target.document(one.item, vector, one.hash)
            size = size_of(document)
        except (CallError, ValueError) as error:
            self._fail(one.position, one.item.id, "size", _problem(error))
            return
        if not self._pending.takes(size):
            yield from self._flush()
        self._pending.add((one, document), size)

    def _stored(self, ids: Sequence[Any]) -> Flow[dict[Any, Any]]:
        return (yield from store.read_hashes(self.collection, ids, self.target.hash_path, self.attempts))

    def _embed(self, vectors: dict[int, Any], contents: Sequence[_Content]) -> Flow[None]:
        texts = [one.item.text for one in contents]
        with metered() as meter:
            found = yield from embed_texts(self.embedder, texts, self.attempts)
        self.report.usage += meter.usage
        vectors.update(zip((one.position for one in contents), found, strict=True))
        self.report.embedded += len(texts)

    def _flush(self) -> Flow[None]:
        """Writes what waits; then everything that was passed is stored, unless something failed."""
        waiting = self._pending.empty()
        failed = yield from self._writing.run(waiting, self._write)
        for (one, _), error in failed:
            self._fail(one.position, one.item.id, "write", _problem(error))
        if self._done is not None and not self.report.failures:
            self.checkpoint.write(self._done)

    def _write(self, waiting: Sequence[tuple[_Content, dict[str, Any]]]) -> Flow[None]:
        documents = [document for _, document in waiting]
        refused = yield from store.upsert(self.collection, documents, self.attempts)
        for index, problem in refused.items():
            one = waiting[index][0]
            self._fail(one.position, one.item.id, "write", problem)
        self.report.written += len(waiting) - len(refused)

    def _fail(self, position: int, identifier: Any, stage: Stage, problem: str) -> None:
        self.report.failures.append(LoadFailure(position, identifier, stage, problem))

    def _tell(self) -> None:
        if self.progress is not None:
            self.progress(self.report.progress())


def _problem(error: Exception) -> str:
    """What an error says."""
    return error.problem if isinstance(error, AtlasRagError) else str(error)
