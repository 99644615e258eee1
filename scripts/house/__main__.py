"""Prints the house in numbers; the exit code counts what is not as it should be."""

from __future__ import annotations

import sys
from collections import Counter

from rich.console import Console
from rich.table import Table

from scripts.house.hops import hops, rooms
from scripts.house.modules import PACKAGE, WING_TWO, circles, imports, lines, modules
from scripts.house.tasks import TASKS, files

MOST_HOPS = 9
LONGEST = 500
DEEPEST = 4
"""Folders below the package, in the SDK."""


def main() -> int:
    """Prints the tables."""
    sizes()
    return longest() + closed() + ways() + tasks()


def sizes() -> None:
    """Lines by wing and room."""
    by_room: Counter[tuple[str, str]] = Counter()
    for name, path in modules().items():
        parts = name.split(".")
        engine = name.startswith(WING_TWO)
        room = parts[2] if engine and len(parts) > 2 else parts[1] if len(parts) > 1 else "atlas_rag"
        by_room["engine" if engine else "SDK", room] += lines(path)
    table = Table("wing", "room", "lines", title="lines", title_justify="left")
    for (wing, room), size in sorted(by_room.items(), key=lambda one: (one[0][0], -one[1])):
        table.add_row(wing, room, f"{size:,}")
    for wing in ("SDK", "engine"):
        table.add_row(wing, "all", f"{sum(size for (one, _), size in by_room.items() if one == wing):,}")
    Console().print(table)


def longest() -> int:
    """The longest file and the deepest folder of each wing."""
    failed = 0
    for wing, engine in (("SDK", False), ("engine", True)):
        paths = [path for name, path in modules().items() if name.startswith(WING_TWO) is engine]
        file = max(paths, key=lines)
        depth = max(len(path.relative_to(PACKAGE).parts) - 1 for path in paths)
        failed += lines(file) > LONGEST or (not engine and depth > DEEPEST)
        print(f"{wing}: longest file {file.relative_to(PACKAGE)} ({lines(file)} lines), {depth} folders deep")
    return failed


def closed() -> int:
    """Import circles, with imports inside functions and under `TYPE_CHECKING`."""
    found = circles(imports())
    ours = [one for one in found if not one[0].startswith(WING_TWO)]
    print(f"import circles: {len(ours)} in the SDK, {len(found) - len(ours)} in the engine")
    for one in ours:
        print("   ", " ⇄ ".join(one))
    return len(ours)


def ways() -> int:
    """Hops of values from `retrieve` to the wire, and of a document's text back to its hit."""
    failed = 0
    table = Table("value", "hops", "rooms", "files", title="hops", title_justify="left")
    for name, found in hops().items():
        way = rooms(found)
        failed += len(way) > MOST_HOPS
        table.add_row(name, str(len(way)), " ▸ ".join(way), str(len(found)))
    Console().print(table)
    return failed


def tasks() -> int:
    """Files that each task of `docs/extending.md` touches."""
    failed = 0
    for what, task in TASKS.items():
        found = files(task)
        failed += not 0 < len(found) <= task.most
        print(f"\n{what} (as {task.example}): {len(found)} files, at most {task.most}")
        for one in found:
            print(f"    {one}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
