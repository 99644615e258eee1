"""`atlas-rag probe`: what a deployment is, what it can do, and what a stated need lacks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from atlas_rag.cli.index.options import AsJson, Local, Namespace, Uri, UriFile
from atlas_rag.cli.index.session import NOT_WELL, session
from atlas_rag.cli.recipes import HELP
from atlas_rag.cli.recipes import recipe as find_recipe

if TYPE_CHECKING:
    from atlas_rag.capability import CapabilityReport, Feature
    from atlas_rag.indexes import Unmet, WantedIndex

NEEDS = {
    "vector": ("vector_search",),
    "keyword": ("search",),
    "hybrid": ("vector_search", "search"),
    "native-fusion": ("vector_search", "search", "rank_fusion"),
    "indexes": ("search_index_listing",),
}
"""Features by what people ask for. A hybrid question is answered on every route, so needs no fusion stage."""


def command(
    namespace: Namespace,
    need: Annotated[list[str] | None, typer.Option(help=f"{', '.join(NEEDS)}; can be repeated.")] = None,
    recipe: Annotated[str | None, typer.Option(help=f"Its mode and indexes are needed. {HELP}")] = None,
    definitions: Annotated[
        list[Path] | None, typer.Option("--definitions", "-d", help="Files or folders of needed indexes.")
    ] = None,
    uri: Uri = None,
    uri_file: UriFile = None,
    local: Local = None,
    as_json: AsJson = False,
) -> None:
    """Ask a deployment what it can do for a collection. Changes nothing; the role 'read' is enough.

    Leaves with 0 if every stated need is met, 1 if one is not or nothing answers, 2 for a wrong call.

    Example: atlas-rag probe shop.notes --need hybrid --recipe hybrid
    """
    with session(namespace, uri, uri_file, local, as_json) as here:
        from atlas_rag.capability import probe

        features, wanted = _needs(need or [], recipe, definitions or [])
        report = here.run(probe(namespace))
        unmet = _unmet(report, features, wanted)
        exists = here.exists()
        document = {
            **report.model_dump(mode="json"),
            "collection_exists": exists,
            "unmet": [one.to_dict() for one in unmet],
        }
        note = "" if exists else f"\n  there is no collection {namespace} yet"
        here.show(document, _as_text(report, unmet) + note)
    raise typer.Exit(NOT_WELL if unmet else 0)


def _needs(
    needs: list[str], recipe: str | None, definitions: list[Path]
) -> tuple[list[Feature], tuple[WantedIndex, ...]]:
    from atlas_rag.capability import Feature
    from atlas_rag.errors import CallError
    from atlas_rag.indexes import read_definitions

    wanted = read_definitions(*definitions)
    if recipe is not None:
        found = find_recipe(recipe)
        needs, wanted = [*needs, found.mode], (*found.indexes, *wanted)
    unknown = next((one for one in needs if one not in NEEDS), None)
    if unknown is not None:
        raise CallError(f"There is no need {unknown!r}", expected=f"one of {', '.join(NEEDS)}")
    names = dict.fromkeys(name for one in [*needs, *(["indexes"] if wanted else [])] for name in NEEDS[one])
    return [Feature(name) for name in names], wanted


def _unmet(
    report: CapabilityReport, features: list[Feature], wanted: tuple[WantedIndex, ...]
) -> tuple[Unmet, ...]:
    from atlas_rag.capability.feature import STAGES
    from atlas_rag.indexes import Unmet, unmet_needs

    absent = tuple(
        Unmet("", f"{STAGES[one]} is absent: {_reason(report, one)}", report.next_step(one))
        for one in features
        if not report.can(one)
    )
    return absent + (() if report.indexes is None else unmet_needs(report.indexes, wanted))


def _reason(report: CapabilityReport, feature: Feature) -> str:
    verdict = report.features[feature]
    return f"{verdict.reason.value.replace('_', ' ')} ({verdict.seen})"


def _as_text(report: CapabilityReport, unmet: tuple[Unmet, ...]) -> str:
    from atlas_rag.capability.deployment import WORDS
    from atlas_rag.capability.feature import STAGES, Feature

    engine = "with" if report.can(Feature.SEARCH) else "without"
    where = f"{WORDS[report.deployment]} {engine} search, release {report.release}"
    lines = [f"{report.namespace} on {where}"]
    for feature in Feature:
        state = "yes" if report.can(feature) else f"no: {_reason(report, feature)}"
        lines.append(f"  {STAGES[feature]:<28}{state}")
    if report.indexes is None:
        lines.append("  its indexes cannot be listed")
    lines += [_index_line(index) for index in report.indexes or ()]
    lines += [
        f"unmet: {f'{one.index}: ' if one.index else ''}{one.problem}\n  next: {one.next_step}"
        for one in unmet
    ]
    return "\n".join(lines)


def _index_line(index: Any) -> str:
    answers = "can be queried" if index.queryable else "cannot be queried"
    return f"  index {index.name} ({index.type}) {index.status}, {answers}"
