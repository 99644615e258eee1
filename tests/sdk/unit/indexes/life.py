"""Search indexes of an in-process deployment whose time is moved by hand."""

from __future__ import annotations

from typing import Any

from atlas_rag import LocalClient
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import WantedIndex
from atlas_rag.wire import drive

NAMESPACE = "app.docs"
FIELD = {"type": "vector", "path": "v", "numDimensions": 2, "similarity": "cosine"}


def vectors(name: str = "vectors", *filters: str, **options: Any) -> WantedIndex:
    """A vectorSearch index of `v` with these filters."""
    fields = [{**FIELD, **options}, *({"type": "filter", "path": path} for path in filters)]
    return WantedIndex(name, "vectorSearch", {"fields": fields})


def texts(name: str = "texts", **options: Any) -> WantedIndex:
    """A dynamic search index."""
    return WantedIndex(name, "search", {"mappings": {"dynamic": True}, **options})


class Place:
    """One collection of an in-process deployment; every build takes `delay` seconds of its own clock."""

    def __init__(self, delay: float = 0.0, path: Any = None) -> None:
        self.now = 0.0
        self.client = LocalClient(path, index_delay=delay, clock=self.time)
        self.collection = self.client["app"]["docs"]
        self.collection.insert_many({"_id": i, "v": [1.0, float(i)], "tenant": i % 2} for i in range(4))

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    async def async_sleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def run(self, protocol: Any) -> Any:
        """The result of a protocol."""
        return drive(protocol, engine_for(self.collection), self)

    def definitions(self) -> dict[str, Any]:
        """What is there, by name."""
        return {one["name"]: one["latestDefinition"] for one in self.collection.list_search_indexes()}

    def search(self, index: str) -> list[Any]:
        """`_id`s that a search of this index finds."""
        body = {"index": index, "path": "v", "queryVector": [1.0, 0.0], "exact": True, "limit": 10}
        return [row["_id"] for row in self.collection.aggregate([{"$vectorSearch": body}])]
