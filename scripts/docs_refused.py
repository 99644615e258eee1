"""Write the docs' list of what the in-process engine refuses, found out by asking it.

    python -m scripts.docs_refused           # rewrite the part between the markers
    python -m scripts.docs_refused --check   # exit 1 where it has drifted

Each line is a command that is run on a LocalClient of the newest release and must be refused with code 115,
or 59 where there is no such command. Stages and expression operators are taken from the engine's own
registers.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pymongo.errors import OperationFailure

from atlas_rag import LocalClient
from atlas_rag.inprocess.mql.expressions.define import OPERATORS
from atlas_rag.inprocess.mql.stages.registry import STAGES

PAGE = Path(__file__).resolve().parents[1] / "docs" / "refused.md"
BEGIN, END = "<!-- engine:begin -->", "<!-- engine:end -->"
NOT_SUPPORTED, NO_SUCH_COMMAND = 115, 59

Command = dict[str, Any]


def find(**options: Any) -> Command:
    """A query with options."""
    return {"find": "things", **options}


def aggregate(*stages: Command, **options: Any) -> Command:
    """An aggregation."""
    return {"aggregate": "things", "pipeline": list(stages), "cursor": {}, **options}


def index(**options: Any) -> Command:
    """An index with options."""
    return {"createIndexes": "things", "indexes": [{"key": {"a": 1}, "name": "a", **options}]}


def create(**options: Any) -> Command:
    """A collection with options."""
    return {"create": "made", **options}


SCRIPT = {"init": "", "accumulate": "", "accumulateArgs": [], "merge": "", "lang": "js"}
ENGLISH = {"locale": "en", "strength": 2}
ASKED: dict[str, dict[str, Command]] = {
    "JavaScript": {
        "`$where`": find(filter={"$where": "true"}),
        "`$function`": aggregate({"$set": {"x": {"$function": {"body": "", "args": [], "lang": "js"}}}}),
        "`$accumulator`": aggregate({"$group": {"_id": 1, "x": {"$accumulator": SCRIPT}}}),
        "`mapReduce`": {"mapReduce": "things"},
    },
    "Text indexes": {"an index of kind `text`": index(key={"a": "text"})},
    "Indexes": {
        f"option `{option}`": index(**{option: value})
        for option, value in (("collation", ENGLISH), ("wildcardProjection", {"a": 1}), ("storageEngine", {}))
    },
    "Collections": {
        f"`create` with `{option}`": create(**{option: value})
        for option, value in (
            ("timeseries", {"timeField": "t"}),
            ("clusteredIndex", {"key": {"_id": 1}, "unique": True}),
            ("encryptedFields", {"fields": [1]}),
            ("changeStreamPreAndPostImages", {"enabled": True}),
            ("collation", ENGLISH),
        )
    }
    | {"`convertToCapped`": {"convertToCapped": "things", "size": 4096}},
    "Queries": {
        f"`find` with `{option}`": find(**{option: value})
        for option, value in (
            ("tailable", True),
            ("returnKey", True),
            ("showRecordId", True),
            ("min", {"a": 1}),
            ("max", {"a": 1}),
        )
    },
    "Collations": {
        "languages other than English": find(collation={"locale": "de"}),
        "strengths 4 and 5": find(collation={"locale": "en", "strength": 4}),
        "`numericOrdering` and other options": find(collation={"locale": "en", "numericOrdering": True}),
        "`$regex` and `$expr` beside one": find(filter={"$expr": True}, collation=ENGLISH),
        "stages other than `$match`, `$sort`, `$skip`, `$limit`, `$count`": aggregate(
            {"$group": {"_id": "$a"}}, collation=ENGLISH
        ),
    },
    "The server": {
        "`profile` at levels 1 and 2": {"profile": 1},
        "`validate` with `repair`": {"validate": "things", "repair": True},
        "`collMod` that makes an index unique": {"collMod": "things", "index": {"name": "a", "unique": True}},
        "`$collStats` with `latencyStats`": aggregate({"$collStats": {"latencyStats": {}}}),
        "users and roles: `createUser`": {"createUser": "x", "pwd": "x", "roles": []},
        "sharding: `shardCollection`": {"shardCollection": "x.things"},
        "the state of a replica set: `replSetGetStatus`": {"replSetGetStatus": 1},
    },
}


def refused(database: Any, command: Command) -> bool:
    """Whether a command is refused by name."""
    try:
        database.command(command)
    except OperationFailure as error:
        return error.code in (NOT_SUPPORTED, NO_SUCH_COMMAND)
    return False


def registered(database: Any) -> Iterator[tuple[str, list[str]]]:
    """The stages and operators that are known to the engine and refused by it."""
    stages = [name for name in STAGES if refused(database, aggregate({name: {}}))]
    yield "Stages", sorted(f"`{name}`" for name in stages)
    operators = [name for name in OPERATORS if refused(database, aggregate({"$set": {"x": {name: {}}}}))]
    yield "Expression operators", sorted(f"`{name}`" for name in operators if name != "$function")


def table() -> str:
    """The list as Markdown. Raises ValueError where something is not refused any more."""
    lines = ["| what | refused |", "|---|---|"]
    with LocalClient(server_version="9.0") as client:
        database = client["x"]
        database["things"].insert_one({"a": 1})
        for what, commands in ASKED.items():
            for said, command in commands.items():
                if not refused(database, command):
                    raise ValueError(f"{said} is not refused any more: take it out of {Path(__file__).name}")
            lines.append(f"| {what} | {', '.join(commands)} |")
        lines += [f"| {what} | {', '.join(names)} |" for what, names in registered(database)]
    return "\n".join(lines)


def updated(page: str) -> str:
    """The page with a new list."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where it has drifted")
    options = parser.parse_args()
    now = PAGE.read_text(encoding="utf-8")
    wanted = updated(now)
    if options.check:
        return int(now != wanted)
    PAGE.write_text(wanted, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
