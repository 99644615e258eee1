"""Write the docs' table of stages and operators from the classes, with what the in-process engine answers.

    python -m scripts.docs_operators           # rewrite the part between the markers
    python -m scripts.docs_operators --check   # exit 1 where it has drifted

Local support is found out: each golden example is run on a LocalClient of the newest release, over documents
that it must find.
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
from atlas_rag.indexes import WantedIndex
from atlas_rag.stages import Search, SearchMeta, Stage
from atlas_rag.stages.operators.operator import known_operators
from atlas_rag.stages.registry import SEARCH_STAGES
from tests.support import golden_cases as cases

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "operators.md"
NOTE = """\
The release is the server's; the operator `vectorSearch` also needs a search engine of 2026. `RawStage`,
`RawOperator`, `RawScore` and `RawFacet` pass newer syntax through, and `Pipeline.raw` lists what they hold.
The legacy operators `knnBeta`, `search`, `span` and `term` are read as raw and not offered."""
BEGIN, END = "<!-- operators:begin -->", "<!-- operators:end -->"


def boats() -> Any:
    """A collection that every golden example finds something in."""
    collection = LocalClient()["harbour"]["boats"]
    collection.insert_many(cases.BOATS)
    for wanted in (WantedIndex.of("words", cases.WORDS), WantedIndex.of("vectors", cases.VECTORS)):
        collection.create_search_index(wanted.to_dict())
    return collection


def example(name: str) -> Stage:
    """The stage to run for a stage or an operator."""
    if name in cases.STAGES:
        return cases.STAGES[name]  # type: ignore[no-any-return]  # values of several classes
    stage = SearchMeta if name == "facet" else Search
    return stage(index="words", operator=cases.OPERATORS[name])


def support(collection: Any, name: str) -> str:
    """`yes`, or why not: what the engine says, or that it found nothing."""
    try:
        found = list(collection.aggregate([example(name).to_stage()]))
    except OperationFailure as error:
        return f"no: {str(error).partition(', full error')[0]}"
    return "yes" if found else "no: finds nothing"


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Stage or operator, class, server release, local support."""
    collection = boats()
    for name, stage in SEARCH_STAGES.items():
        yield name, stage.__name__, stage.release(), support(collection, name)
    for name, operator in sorted(known_operators().items()):
        yield name, operator.__name__, operator.release(), support(collection, name)


def table() -> str:
    """The table as Markdown."""
    lines = ["| stage or operator | class | server | in-process engine |", "|---|---|---|---|"]
    lines += [f"| `{name}` | `{cls}` | {release} | {local} |" for name, cls, release, local in rows()]
    return "\n".join(lines)


def updated(page: str) -> str:
    """The page with a new table."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{table()}\n\n{NOTE}\n{END}{after}"


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
