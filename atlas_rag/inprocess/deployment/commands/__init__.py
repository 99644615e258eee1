"""All commands by name: each takes a deployment, a database name and the command, and returns a reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from atlas_rag.inprocess.deployment.commands import (
    administration,
    bulk,
    catalog,
    explain,
    find_and_modify,
    operations,
    options,
    ordinary_indexes,
    reads,
    search_indexes,
    server,
    statistics,
    writes,
)

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Handler = Callable[["Deployment", str, Mapping[str, Any]], dict[str, Any]]


class Entry(NamedTuple):
    """A command. `lockless` ones touch no data, and are answered without being an operation."""

    run: Handler
    lockless: bool = False
    writes: bool = False
    ends_transaction: bool = False

    def changes(self, command: Mapping[str, Any]) -> bool:
        """Whether it may change data, and so runs alone among those that do."""
        return self.writes or reads.ends_in_a_write(command)


_SERVER: dict[str, Handler] = {
    **dict.fromkeys(("hello", "isMaster", "ismaster"), server.hello),
    **dict.fromkeys(("ping", "refreshSessions", "startSession"), server.ping),
    **dict.fromkeys(("buildInfo", "buildinfo"), server.build_info),
    "configureFailPoint": server.configure_fail_point,
    "hostInfo": server.host_info,
    "connectionStatus": server.connection_status,
    "currentOp": operations.current_op,
    "getCmdLineOpts": administration.command_line_options,
    "getLog": administration.get_log,
    "getParameter": administration.get_parameter,
    "killOp": operations.kill_op,
    "profile": administration.profile,
    "setParameter": administration.set_parameter,
}

_READS: dict[str, Handler] = {
    "aggregate": reads.aggregate,
    **dict.fromkeys(("collStats", "collstats"), statistics.collection_statistics),
    "count": reads.count,
    **dict.fromkeys(("dbStats", "dbstats"), statistics.database_statistics),
    "distinct": reads.distinct,
    "explain": explain.explain,
    "find": reads.find,
    "getMore": reads.get_more,
    "killCursors": reads.kill_cursors,
    "listCollections": catalog.list_collections,
    "listDatabases": catalog.list_databases,
    "listIndexes": ordinary_indexes.list_indexes,
    "listSearchIndexes": search_indexes.list_search_indexes,
    "serverStatus": statistics.server_status,
    "validate": statistics.validate,
}

_WRITES: dict[str, Handler] = {
    "bulkWrite": bulk.bulk_write,
    "collMod": options.modify,
    "create": options.create,
    "createIndexes": ordinary_indexes.create_indexes,
    "createSearchIndexes": search_indexes.create_search_indexes,
    "delete": writes.delete,
    "drop": catalog.drop,
    "dropDatabase": catalog.drop_database,
    "dropIndexes": ordinary_indexes.drop_indexes,
    "dropSearchIndex": search_indexes.drop_search_index,
    **dict.fromkeys(("findAndModify", "findandmodify"), find_and_modify.find_and_modify),
    "insert": writes.insert,
    "renameCollection": catalog.rename_collection,
    "update": writes.update,
    "updateSearchIndex": search_indexes.update_search_index,
}

COMMANDS: dict[str, Entry] = {
    **{name: Entry(run, lockless=True) for name, run in _SERVER.items()},
    **{name: Entry(run) for name, run in _READS.items()},
    **{name: Entry(run, writes=True) for name, run in _WRITES.items()},
    "endSessions": Entry(server.end_sessions),
    "commitTransaction": Entry(server.commit_transaction, writes=True, ends_transaction=True),
    "abortTransaction": Entry(server.abort_transaction, ends_transaction=True),
}
