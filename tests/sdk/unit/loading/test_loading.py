"""Loading: what is new is embedded and written, what fails is told apart, and nothing is done twice."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from bson import ObjectId

from atlas_rag import AsyncLocalClient, CallError, Code, HashingEmbedder, LocalClient, RetrievalError, Usage
from atlas_rag.drivers.choose import async_engine_for, engine_for
from atlas_rag.loading import Limits, Loading, LoadReport, Target, load, read_items, read_jsonl
from atlas_rag.providers.usage import report as count
from atlas_rag.wire import adrive, drive
from tests.together.wire.index_life import HandClock

NOTES = [{"_id": f"n{i}", "text": f"note number {i}", "kind": i % 3} for i in range(10)]


class Embedder(HashingEmbedder):
    """Counts its calls; refuses texts with a word."""

    def __init__(self, dimensions: int = 8, poison: str = "poison", model: str = "") -> None:
        super().__init__(dimensions)
        self.calls: list[int] = []
        self.poison, self.model = poison, model

    @property
    def id(self) -> str:
        return super().id + self.model

    def embed_documents(self, texts: Sequence[str]) -> Any:
        self.calls.append(len(texts))
        if any(self.poison in text for text in texts):
            raise RetrievalError("The provider refused a text", code=Code.PROVIDER_FAILED)
        return super().embed_documents(texts)


@pytest.fixture
def collection() -> Any:
    return LocalClient()["app"]["docs"]


def run(collection: Any, items: Any, embedder: Any = None, **options: Any) -> LoadReport:
    items = read_items(items) if isinstance(items, list) else items
    return drive(
        load("app.docs", items, embedder or Embedder(), **options), engine_for(collection), HandClock()
    )


def test_documents_come_with_vector_and_hash(collection: Any) -> None:
    report = run(collection, NOTES)
    assert (report.read, report.written, report.embedded, report.failures) == (10, 10, 10, [])
    stored = collection.find_one({"_id": "n3"})
    assert {**stored, "embedding": 0, "content_hash": 0} == {
        **NOTES[3],
        "embedding": 0,
        "content_hash": 0,
    }
    assert len(stored["embedding"].as_vector().data) == 8


def test_again_changes_nothing_and_embeds_nothing(collection: Any) -> None:
    run(collection, NOTES)
    embedder = Embedder()
    report = run(collection, NOTES, embedder)
    assert (report.written, report.unchanged, embedder.calls) == (0, 10, [])


@pytest.mark.parametrize(
    ("notes", "embedder", "written"),
    [
        pytest.param([{**NOTES[0], "text": "new"}, *NOTES[1:]], Embedder(), 1, id="text"),
        pytest.param([{**NOTES[0], "kind": "new"}, *NOTES[1:]], Embedder(), 1, id="field"),
        pytest.param(NOTES, Embedder(9), 10, id="dimensions"),
        pytest.param(NOTES, Embedder(model="-2"), 10, id="model"),
    ],
)
def test_what_changed_is_written_again(collection: Any, notes: Any, embedder: Any, written: int) -> None:
    run(collection, NOTES)
    report = run(collection, notes, embedder)
    assert (report.written, report.unchanged) == (written, 10 - written)
    assert collection.count_documents({}) == 10


def test_the_two_batchers_know_nothing_of_each_other(collection: Any) -> None:
    embedder = Embedder()
    seen: list[Loading] = []
    run(collection, NOTES, embedder, limits=Limits(embed_items=4, write_items=7), progress=seen.append)
    assert embedder.calls == [4, 4, 2]
    assert [look.written for look in seen] == [0, 7, 7, 10]
    words = Embedder()
    run(
        collection,
        [{"_id": 1, "text": "x" * 30}, {"_id": 2, "text": "y" * 30}],
        words,
        limits=Limits(embed_tokens=12),
    )
    assert words.calls == [1, 1]


def test_writes_stay_below_their_bytes(collection: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    deployment = collection.deployment
    plain = deployment.run_command

    def counting(database: str, command: dict[str, Any]) -> dict[str, Any]:
        if "update" in command:
            sizes.append(len(command["updates"]))
        return plain(database, command)

    monkeypatch.setattr(deployment, "run_command", counting)
    big = [{"_id": i, "text": "t", "body": "b" * 400_000} for i in range(6)]
    run(collection, big, limits=Limits(write_bytes=1_000_000))
    assert sizes == [2, 2, 2]


def test_one_bad_item_costs_itself_only(collection: Any) -> None:
    items = [*NOTES]
    items[2] = {"_id": "n2", "text": "poison"}
    items[4] = {"_id": "n4", "text": "  "}
    items[5] = {"_id": "n3", "text": "twice"}
    items[7] = {"_id": "n7", "text": "large", "kind": 1, "body": "b" * (16 * 1024 * 1024)}
    items[8] = {"_id": "n8", "text": "odd", "kind": {1, 2}}
    items[9] = {"text": "no id"}
    report = run(collection, items)
    assert report.written == 4
    assert sorted(one["_id"] for one in collection.find({})) == ["n0", "n1", "n3", "n6"]
    told = {one.position: (one.stage, one.problem) for one in report.failures}
    assert told[2] == ("embed", "The provider refused a text")
    assert told[4] == ("read", "has no text in 'text'")
    assert told[5] == ("read", "has the id of an item before it")
    assert told[7][0] == "size"
    assert "the field 'body' alone has 167772" in told[7][1]
    assert told[8] == ("size", "cannot be stored as BSON (InvalidDocument)")
    assert told[9] == ("read", "has no '_id'")
    assert set(told) == {2, 4, 5, 7, 8, 9}


def test_documents_that_the_server_refuses_are_told_apart(collection: Any) -> None:
    collection.create_index("key", unique=True)
    items = [{"_id": i, "text": f"t {i}", "key": min(i, 2)} for i in range(4)]
    report = run(collection, items)
    assert report.written == 3
    (failure,) = report.failures
    assert (failure.position, failure.stage, failure.problem) == (
        3,
        "write",
        "the server refused it (code 11000)",
    )


def test_an_embedder_that_fails_for_everything_ends_the_run(collection: Any) -> None:
    embedder = Embedder(poison="note")
    with pytest.raises(RetrievalError):
        run(collection, NOTES * 1, embedder)
    assert len(embedder.calls) < 20
    assert collection.count_documents({}) == 0


def test_a_wrong_number_of_vectors_is_noticed(collection: Any) -> None:
    class Short(Embedder):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            return super().embed_documents(texts)[:-1] if len(texts) > 1 else super().embed_documents(texts)

    report = run(collection, NOTES, Short())
    assert (report.written, report.failures) == (10, [])


def test_errors_that_pass_are_tried_again_and_others_are_not(collection: Any) -> None:
    admin = collection.database.client["admin"]
    fault = {"configureFailPoint": "failCommand", "mode": {"times": 2}}
    admin.command({**fault, "data": {"failCommands": ["update"], "errorCode": 91}})
    assert run(collection, NOTES).written == 10
    admin.command({**fault, "data": {"failCommands": ["update"], "errorCode": 13}})
    with pytest.raises(Exception, match="may not do this"):
        run(collection, [{"_id": "x", "text": "t"}])


def test_a_checkpoint_spares_the_look_at_what_is_done(collection: Any, tmp_path: Path) -> None:
    mark = tmp_path / "marks" / "docs.json"
    run(collection, NOTES[:6], checkpoint=mark)
    report = run(collection, NOTES, checkpoint=mark)
    assert (report.read, report.resumed, report.written, report.unchanged) == (10, 6, 4, 0)
    report = run(collection, NOTES, checkpoint=mark)
    assert (report.resumed, report.written) == (10, 0)


@pytest.mark.parametrize("change", ["input", "model", "collection", "file"])
def test_a_checkpoint_of_something_else_is_not_trusted(collection: Any, tmp_path: Path, change: str) -> None:
    mark = tmp_path / "docs.json"
    run(collection, NOTES, checkpoint=mark)
    notes, embedder = list(NOTES), Embedder()
    if change == "input":
        notes[0] = {**notes[0], "text": "new"}
    elif change == "model":
        embedder = Embedder(model="-2")
    elif change == "collection":
        collection.drop()
    else:
        mark.write_text("{}")
    report = run(collection, notes, embedder, checkpoint=mark)
    assert report.resumed == 0
    assert report.written == {"input": 1, "model": 10, "collection": 10, "file": 0}[change]
    assert collection.count_documents({}) == 10


def test_a_checkpoint_does_not_pass_a_failure(collection: Any, tmp_path: Path) -> None:
    mark = tmp_path / "docs.json"
    notes = [*NOTES]
    notes[4] = {**notes[4], "text": "poison"}
    limits = Limits(embed_items=2, write_items=2)
    assert len(run(collection, notes, checkpoint=mark, limits=limits).failures) == 1
    cured = run(collection, notes, Embedder(poison="nothing"), checkpoint=mark, limits=limits)
    assert (cured.resumed, cured.written, cured.failures) == (2, 1, [])
    assert collection.count_documents({}) == 10


def test_a_checkpoint_needs_input_that_can_be_read_again(collection: Any, tmp_path: Path) -> None:
    with pytest.raises(CallError, match="only once"):
        run(collection, iter(read_items(NOTES)), checkpoint=tmp_path / "x")


def test_lines_of_json(collection: Any, tmp_path: Path) -> None:
    file = tmp_path / "notes.jsonl"
    key = ObjectId()
    lines = [
        json.dumps({"key": {"$oid": str(key)}, "body": "first"}),
        "",
        "{",
        "[1]",
        '{"key": 2, "body": "second"}',
    ]
    file.write_text("\n".join(lines))
    report = run(collection, read_jsonl(file, text="body", id="key"))
    assert [one["_id"] for one in collection.find({})] == [key, 2]
    assert [(one.position, one.problem) for one in report.failures] == [
        (1, "is not JSON (JSONDecodeError)"),
        (2, "is a list, not an object"),
    ]
    with pytest.raises(CallError, match="cannot be read"):
        run(collection, read_jsonl(tmp_path / "missing.jsonl"))


def test_ids_can_follow_from_content(collection: Any) -> None:
    notes = [{"text": "one", "a": 1, "b": 2}, {"b": 2, "a": 1, "text": "one"}, {"text": "two"}]
    report = run(collection, read_items(notes, id=None))
    assert (report.written, len(report.failures)) == (2, 1)
    run(collection, read_items(notes[1:], id=None))
    assert collection.count_documents({}) == 2


def test_fields_can_have_other_names(collection: Any) -> None:
    run(collection, NOTES[:1], target=Target(vector_path="v", hash_path="h"))
    assert set(collection.find_one({})) == {"_id", "text", "kind", "v", "h"}
    for path in ("a.b", "$x", "_id", ""):
        with pytest.raises(CallError):
            Target(vector_path=path)


@pytest.mark.parametrize("options", [{"embed_items": 0}, {"write_bytes": 16 * 1024 * 1024}])
def test_limits_without_sense_are_refused(options: Any) -> None:
    with pytest.raises(CallError):
        Limits(**options)


def test_asynchronously_with_an_asynchronous_embedder() -> None:
    class Asynchronous(Embedder):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            found = super().embed_documents(texts)

            async def later() -> Any:
                return found

            return later()

    async def work() -> tuple[LoadReport, int]:
        async with AsyncLocalClient() as client:
            collection = client["app"]["docs"]
            protocol = load("app.docs", read_items(NOTES), Asynchronous())
            report = await adrive(protocol, async_engine_for(collection))
            return report, await collection.count_documents({})

    report, count = asyncio.run(work())
    assert (report.written, count) == (10, 10)


def test_an_embedder_that_blocks_does_not_block_the_loop() -> None:
    threads: list[str] = []

    class Blocking(Embedder):
        blocking = True

        def embed_documents(self, texts: Sequence[str]) -> Any:
            threads.append(threading.current_thread().name)
            return super().embed_documents(texts)

    async def work() -> None:
        async with AsyncLocalClient() as client:
            protocol = load("app.docs", read_items(NOTES), Blocking())
            await adrive(protocol, async_engine_for(client["app"]["docs"]))

    asyncio.run(work())
    assert threads
    assert threading.main_thread().name not in threads


def test_a_function_may_embed_and_its_length_is_learnt_before_anything_is_hashed(collection: Any) -> None:
    def embed(text: str) -> list[float]:
        return [float(len(text)), 1.0, 2.0]

    first, second = run(collection, NOTES, embed), run(collection, NOTES, embed)
    assert (first.written, second.written, second.unchanged) == (10, 0, 10)


def test_what_a_provider_counts_is_in_the_report(collection: Any) -> None:
    class Counted(Embedder):
        def embed_documents(self, texts: Sequence[str]) -> Any:
            count(Usage(requests=1, tokens=len(texts)))
            return super().embed_documents(texts)

    report = run(collection, NOTES, Counted())
    assert report.usage.tokens == 10
    assert report.to_dict()["usage"]["requests"] == report.usage.requests > 0


def test_half_a_character_fails_alone(collection: Any) -> None:
    notes = [*NOTES, {"_id": "cut", "text": "cut \ud83d"}]
    report = run(collection, notes)
    assert report.written == 10
    assert [(one.id, one.stage) for one in report.failures] == [("cut", "embed")]
    assert "half a character" in report.failures[0].problem
