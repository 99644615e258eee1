"""`apiVersion` and `apiStrict`: a client that wants only what the Stable API promises."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError

# Source: the MongoDB manual, "Stable API", version 1.
_COMMANDS = frozenset(
    {
        *("abortTransaction", "aggregate", "authenticate", "bulkWrite", "collMod", "commitTransaction"),
        *("count", "create", "createIndexes", "delete", "distinct", "drop"),
        *("dropDatabase", "dropIndexes", "endSessions", "explain", "find", "findAndModify"),
        *("getMore", "hello", "insert", "killCursors", "killSessions", "listCollections"),
        *("listDatabases", "listIndexes", "ping", "refreshSessions", "saslContinue", "saslStart"),
        *("update",),
    }
)
_OUTSIDE = frozenset(
    {
        *("$search", "$searchBeta", "$searchMeta", "$vectorSearch", "$listSearchIndexes", "$rankFusion"),
        *("$scoreFusion", "$rerank", "$currentOp", "$indexStats", "$listLocalSessions", "$listSessions"),
        *("$planCacheStats", "$querySettings"),
    }
)


def check_api(command: Mapping[str, Any]) -> None:
    """Refuses what is outside the version that a command asks for. Raises 322, 323, 9."""
    version = command.get("apiVersion")
    if version is None:
        if "apiStrict" in command or "apiDeprecationErrors" in command:
            raise CommandError(9, "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion")
        return
    if version != "1":
        raise CommandError(322, 'API version must be "1"')
    if command.get("apiStrict") is not True:
        return
    name = next(iter(command))
    if name not in _COMMANDS:
        raise CommandError(323, f"Provided apiStrict:true, but the command {name} is not in API Version 1")
    for stage in _stages(command.get("pipeline")):
        if stage in _OUTSIDE:
            raise CommandError(323, f"stage {stage} is not allowed with 'apiStrict: true' in API Version 1")


def _stages(pipeline: Any) -> Iterator[str]:
    """Yields the names of all stages, those of pipelines inside too."""
    for stage in pipeline if isinstance(pipeline, list) else ():
        for name, argument in stage.items() if isinstance(stage, Mapping) else ():
            yield name
            inner = argument.items() if isinstance(argument, Mapping) else ()
            for key, value in inner:
                yield from _stages(value if key == "pipeline" or name == "$facet" else None)
