"""The server under load: `python -m scripts.bench.serve [--seconds 20]`.

One server process; 500 connections of one client process, which sends prepared bytes at fixed times whether
or not answers have come (open loop), so that a slow answer does not slow down the questions.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import bson
from pymongo import MongoClient

from scripts.bench.table import Figure, show

CONNECTIONS, PINGING = 500, 400
PINGS, SEARCHES = 2000, 200
DOCUMENTS, DIMENSIONS, WORDS = 5000, 256, 3000

PROGRAM = """
from atlas_rag.serve import Options, run_server
run_server(options=Options(), announce=lambda uri: print(uri, flush=True))
"""


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=20.0, help="how long to load, > 0")
    seconds = parser.parse_args().seconds
    with server_process() as (_, uri):
        fill(uri)
        pings, searches, late = asyncio.run(load(uri, seconds))
    figures = [
        Figure(f"ping at {PINGS}/s over {CONNECTIONS} connections, p50", quantile(pings, 0.5), 5, "ms"),
        Figure("ping, p99", quantile(pings, 0.99), 50, "ms"),
        Figure("ping, answered", len(pings) / seconds, 0.99 * PINGS, "/s", at_least=True),
        Figure(f"hybrid at {SEARCHES}/s on {DOCUMENTS} documents, p50", quantile(searches, 0.5), 25, "ms"),
        Figure("hybrid, p99", quantile(searches, 0.99), 250, "ms"),
        Figure("hybrid, answered", len(searches) / seconds, 0.99 * SEARCHES, "/s", at_least=True),
        Figure("sent late by the client itself, p99", quantile(late, 0.99), 20, "ms"),
    ]
    show("serve", figures)


@contextmanager
def server_process() -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Yields a fresh server process and its connection string."""
    process = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    try:
        yield process, next(iter(process.stdout or ())).strip()
    finally:
        process.terminate()
        process.wait(30)


def fill(uri: str) -> None:
    """Makes the collection with both indexes."""
    chance = random.Random(1)
    documents = [
        {
            "_id": number,
            "text": " ".join(f"w{int(chance.paretovariate(0.6)) % WORDS}" for _ in range(60)),
            "v": [chance.gauss(0, 1) for _ in range(DIMENSIONS)],
        }
        for number in range(DOCUMENTS)
    ]
    vector = {"type": "vector", "path": "v", "numDimensions": DIMENSIONS, "similarity": "cosine"}
    text = {"mappings": {"dynamic": False, "fields": {"text": {"type": "string"}}}}
    with MongoClient(uri) as client:
        things = client["bench"]["things"]
        things.insert_many(documents)
        things.create_search_index({"name": "text", "definition": text})
        things.create_search_index(
            {"name": "vector", "type": "vectorSearch", "definition": {"fields": [vector]}}
        )
        client["bench"].command(hybrid(chance))


def hybrid(chance: random.Random) -> dict[str, Any]:
    """One hybrid query: text and vector fused, ten documents without their vectors."""
    words = " ".join(f"w{int(chance.paretovariate(0.6)) % WORDS}" for _ in range(3))
    vector = [chance.gauss(0, 1) for _ in range(DIMENSIONS)]
    search = {"$search": {"index": "text", "text": {"path": "text", "query": words}}}
    nearest = {"index": "vector", "path": "v", "queryVector": vector, "numCandidates": 200, "limit": 100}
    inputs = {"text": [search, {"$limit": 100}], "vector": [{"$vectorSearch": nearest}]}
    stages = [{"$rankFusion": {"input": {"pipelines": inputs}}}, {"$limit": 10}, {"$project": {"v": 0}}]
    return {"aggregate": "things", "pipeline": stages, "cursor": {}}


def frame(command: dict[str, Any], database: str) -> bytes:
    """Returns a command as bytes for the wire."""
    body = b"\0\0\0\0\0" + bson.encode({**command, "$db": database})
    return struct.pack("<iiii", 16 + len(body), 1, 0, 2013) + body


class Client(asyncio.Protocol):
    """One connection: counts the milliseconds from when a question was due to its answer."""

    def __init__(self) -> None:
        self.due: list[tuple[float, list[float]]] = []
        self._buffer = bytearray()
        self._transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while len(self._buffer) >= 4:
            (length,) = struct.unpack_from("<i", self._buffer)
            if len(self._buffer) < length:
                return
            if b"\x01ok\0\0\0\0\0\0\0\xf0?" not in self._buffer[:length]:
                raise ValueError(f"an answer that is not ok: {bytes(self._buffer[16:length])!r}")
            del self._buffer[:length]
            due, times = self.due.pop(0)
            times.append((time.perf_counter() - due) * 1e3)

    def ask(self, question: bytes, due: float, times: list[float]) -> None:
        self.due.append((due, times))
        self._transport.write(question)


async def load(uri: str, seconds: float) -> tuple[list[float], list[float], list[float]]:
    """Returns the milliseconds of all pings, of all searches, and by how many the client was late."""
    where, loop, chance = urlsplit(uri), asyncio.get_running_loop(), random.Random(2)
    clients: list[Client] = []
    for _ in range(CONNECTIONS):
        _, client = await loop.create_connection(Client, where.hostname, where.port)
        clients.append(client)
    ping, searches = frame({"ping": 1}, "admin"), [frame(hybrid(chance), "bench") for _ in range(500)]
    pinged: list[float] = []
    searched: list[float] = []
    late: list[float] = []
    # A connection answers in order, so pings have connections of their own, as they have in a driver's pool.
    pingers, searchers = itertools.cycle(clients[:PINGING]), itertools.cycle(clients[PINGING:])
    begin = time.perf_counter() + 0.1
    due = sorted(
        [(begin + n / PINGS, True) for n in range(int(seconds * PINGS))]
        + [(begin + n / SEARCHES, False) for n in range(int(seconds * SEARCHES))]
    )
    for number, (moment, is_ping) in enumerate(due):
        if (wait := moment - time.perf_counter()) > 0:
            await asyncio.sleep(wait)
        late.append((time.perf_counter() - moment) * 1e3)
        if is_ping:
            next(pingers).ask(ping, moment, pinged)
        else:
            next(searchers).ask(searches[number % len(searches)], moment, searched)
    for _ in range(100):
        if not any(client.due for client in clients):
            break
        await asyncio.sleep(0.1)
    return pinged, searched, late


def quantile(values: list[float], part: float) -> float:
    """Returns the value below which a part (0…1) of the values lies."""
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


if __name__ == "__main__":
    main()
