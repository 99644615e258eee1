"""A process that loads documents or applies indexes and kills itself (SIGKILL) around one of its commands.

python -m tests.support.killed load|apply PLACE FILE COMMAND_NUMBER before|after

PLACE is a folder of the in-process engine or a connection string; 0 lets it live.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pymongo

from atlas_rag import HashingEmbedder, LocalClient
from atlas_rag.drivers.choose import engine_for
from atlas_rag.indexes import WantedIndex, apply_plan, plan_indexes
from atlas_rag.loading import Limits, load, read_jsonl
from atlas_rag.wire import Command, Reply, drive

NAMESPACE = "app.docs"
LIMITS = Limits(embed_items=3, write_items=5)
CHANGES = frozenset({"update", "createSearchIndexes", "updateSearchIndex", "dropSearchIndex"})


class Mortal:
    """An engine that ends its process before or after a command that changes something."""

    namespace = NAMESPACE

    def __init__(self, engine: Any, number: int, moment: str) -> None:
        self._engine, self._number, self._moment = engine, number, moment
        self._seen = 0

    def run(self, command: Command) -> Reply:
        self._seen += command.name in CHANGES
        fatal = command.name in CHANGES and self._seen == self._number
        if fatal and self._moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        reply: Reply = self._engine.run(command)
        if fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        return reply


def main(task: str, place: str, file: Path, number: int, moment: str) -> None:
    client: Any = pymongo.MongoClient(place) if place.startswith("mongodb") else LocalClient(place)
    with client:
        engine = Mortal(engine_for(client["app"]["docs"]), number, moment)
        if task == "load":
            mark = file.with_suffix(".mark")
            protocol = load(NAMESPACE, read_jsonl(file), HashingEmbedder(8), limits=LIMITS, checkpoint=mark)
            report = drive(protocol, engine)
            sys.stdout.write(json.dumps(report.to_dict()))
        else:
            wanted = [WantedIndex(**one) for one in json.loads(file.read_text())]
            plan = drive(plan_indexes(NAMESPACE, wanted, drop=["dropped"]), engine)
            applied = drive(apply_plan(plan, allow=[change.name for change in plan.changes]), engine)
            sys.stdout.write(json.dumps(applied.to_dict()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]), sys.argv[5])
