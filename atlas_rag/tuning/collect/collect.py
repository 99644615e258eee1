"""Collection: one flow for every engine, two front doors.

Each input pipeline is asked once per query, to a given depth. Where the deployment supports it, one
`$rankFusion` with `scoreDetails` brings the ranks and raw scores of all of them in one request.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from atlas_rag.errors import AtlasRagError
from atlas_rag.tuning.collect.cache import RunCache
from atlas_rag.tuning.collect.latency import Latency, TimedAsyncEngine, TimedEngine, Times
from atlas_rag.tuning.collect.rows import InputPipelines, detailed_rows, limited, listing, scored_rows
from atlas_rag.tuning.data.queries import ExperimentQuery
from atlas_rag.tuning.data.runs import Runs, ScoredRow
from atlas_rag.wire import AsyncEngine, Command, Engine, Flow, Reply, adrive, drive, gather

Progress = Callable[[int, int], None]
"""(requests answered, requests in all)."""

FUSED = "all input pipelines"


@dataclass(frozen=True, slots=True)
class Request:
    """What to collect.

    Args:
        collection: its name.
        queries: those to ask.
        pipelines: input pipelines by name.
        depth: documents taken from each input pipeline, ≥ 1.
        concurrency: requests under way at a time, ≥ 1; a synchronous engine runs them one after the other.
        one_request: ask for all input pipelines at once by `$rankFusion` with `scoreDetails` (8.2 and later).
    """

    collection: str
    queries: Sequence[ExperimentQuery]
    pipelines: InputPipelines
    depth: int = 100
    concurrency: int = 8
    one_request: bool = False


@dataclass(frozen=True, slots=True)
class Collected:
    """The runs, and what they cost: latency by input pipeline (requests answered from a cache aside)."""

    runs: Runs
    latency: Mapping[str, Latency] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Task:
    query: ExperimentQuery
    pipeline: str
    command: Command


def collect(
    engine: Engine, request: Request, *, cache: RunCache | None = None, progress: Progress | None = None
) -> Collected:
    """Collects on a synchronous engine. With a cache, only what it lacks is asked for.

    Raises:
        ServerError: of the first request that failed; what was answered before is in the cache.
    """
    times = Times()
    runs = drive(collecting(request, cache=cache, progress=progress), TimedEngine(engine, times))
    return Collected(runs, _latencies(times))


async def acollect(
    engine: AsyncEngine, request: Request, *, cache: RunCache | None = None, progress: Progress | None = None
) -> Collected:
    """The same on an asynchronous engine, `request.concurrency` requests at a time."""
    times = Times()
    runs = await adrive(collecting(request, cache=cache, progress=progress), TimedAsyncEngine(engine, times))
    return Collected(runs, _latencies(times))


def collecting(
    request: Request, *, cache: RunCache | None = None, progress: Progress | None = None
) -> Flow[Runs]:
    """The flow: yields batches of commands, returns the runs.

    Raises:
        ExperimentError: the cache was opened offline and lacks an answer (7602); nothing is asked.
    """
    store = cache or RunCache.in_memory()
    tasks = [
        task for task in _tasks(request) if not store.has(task.query.id, task.pipeline, request.pipelines)
    ]
    if tasks and store.offline:
        raise store.missing(len(tasks))
    done = 0
    waiting = iter(tasks)
    while batch := list(islice(waiting, request.concurrency)):
        answers = yield from gather([task.command for task in batch])
        failures = []
        for task, answer in zip(batch, answers, strict=True):
            if isinstance(answer, AtlasRagError):
                failures.append(answer)
            else:
                store.add(task.query.id, _rows(request, task, answer))
        if failures:
            raise failures[0]
        done += len(batch)
        if progress:
            progress(done, len(tasks))
    return store.runs([query.id for query in request.queries], sorted(request.pipelines))


def _tasks(request: Request) -> Iterator[_Task]:
    for query in request.queries:
        built = {name: build(query) for name, build in sorted(request.pipelines.items())}
        if request.one_request:
            pipelines = {name: limited(stages, request.depth) for name, stages in built.items()}
            fusion: dict[str, object] = {
                "$rankFusion": {"input": {"pipelines": pipelines}, "scoreDetails": True}
            }
            details: dict[str, object] = {"$project": {"_id": 1, "details": {"$meta": "scoreDetails"}}}
            yield _Task(query, FUSED, _command(request, [fusion, details], FUSED, len(pipelines)))
        else:
            for name, stages in built.items():
                yield _Task(query, name, _command(request, listing(stages, request.depth), name, 1))


def _command(request: Request, pipeline: list[dict[str, object]], label: str, lists: int) -> Command:
    return Command.aggregate(request.collection, pipeline, max_rows=request.depth * lists, comment=label)


def _rows(request: Request, task: _Task, reply: Reply) -> dict[str, list[ScoredRow]]:
    if task.pipeline == FUSED:
        found = detailed_rows(reply.documents)
        return {name: found.get(name, []) for name in request.pipelines}
    stages = request.pipelines[task.pipeline](task.query)
    return {task.pipeline: scored_rows(reply.documents, stages)}


def _latencies(times: Times) -> dict[str, Latency]:
    return {label: Latency.of(seconds) for label, seconds in times.seconds.items()}
