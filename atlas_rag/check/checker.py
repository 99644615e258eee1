"""One function that checks whatever it is given: a pipeline, the body of a stage, an index definition."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from atlas_rag.check.index import IndexEntry, index_findings, read_index
from atlas_rag.check.pipeline import needed_release, pipeline_findings
from atlas_rag.check.pipeline.bodies import BODIES, deprecated_operators
from atlas_rag.check.pipeline.walk import Pipeline, everything, read_pipeline
from atlas_rag.check.report import Codes, Finding, Report, from_problems
from atlas_rag.grammar import EMBEDDING_MODELS, create_problems, problems, with_model_defaults
from atlas_rag.grammar.kit import is_array, is_document
from atlas_rag.grammar.releases import Release

REFUSED_DEFINITION: Final = Codes.same(125)
"""What createSearchIndexes answers when the search engine refuses a definition: CommandFailed."""

_STAGES: Final = {what: stage for stage, what in BODIES.items() if stage != "$searchBeta"}
_DEFINITIONS: Final = {"searchIndex": False, "vectorIndex": True}
KINDS: Final = ("pipeline", *_STAGES, *_DEFINITIONS)
"""What can be checked."""


def check(
    value: Any,
    *,
    what: str | None = None,
    index: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None = None,
    release: Release | None = None,
    models: Collection[str] = EMBEDDING_MODELS,
) -> Report:
    """Everything that is wrong with a value, all at once.

    Args:
        value: BSON values, as a driver would send them; `extended_json.read` reads them from text.
        what: one of `KINDS`; guessed from the value where it is not given.
        index: definition of the index that is searched, or several: bare definitions,
            `createSearchIndexes` entries or `$listSearchIndexes` rows.
        release: server release `(major, minor)` that must be able to run it.
        models: names of the embedding models that the deployment offers.

    Raises:
        ValueError: `what` is not one of `KINDS`, or an index is no definition.
    """
    kind = guess(value) if what is None else what
    if kind not in KINDS:
        raise ValueError(f"what is one of {', '.join(KINDS)}, not {kind!r}")
    indexes = _read_indexes(index, models)
    if kind == "pipeline":
        return _check_pipeline(value, indexes, release)
    if kind in _DEFINITIONS:
        definition = with_model_defaults(_definition_in(value), models)
        found = [*_untold_type(value), *definition_findings(definition, vector=_DEFINITIONS[kind])]
        return Report(kind, tuple(found))
    return _check_body(kind, value, indexes)


def guess(value: Any) -> str:
    """What a value seems to be: the kind whose characteristic keys it has."""
    if is_array(value):
        return "pipeline"
    if not is_document(value):
        return "search"
    if len(value) == 1 and next(iter(value)).startswith("$"):
        return "pipeline"
    definition = _definition_in(value)
    if is_document(definition) and ("mappings" in definition or definition is not value):
        return "vectorIndex" if _is_vector(value, definition) else "searchIndex"
    if is_array(value.get("fields")):
        return "vectorIndex"
    if {"queryVector", "numCandidates"} & value.keys() or {"path", "limit", "query"} <= value.keys():
        return "vectorSearch"
    return "search"


def _definition_in(value: Any) -> Any:
    """The definition inside a `createSearchIndexes` entry or a `$listSearchIndexes` row."""
    if not is_document(value):
        return value
    return value.get("latestDefinition", value.get("definition", value))


def _untold_type(value: Any) -> Iterator[Finding]:
    """An entry of `createSearchIndexes` without a type is of type "search", whatever it holds."""
    definition = _definition_in(value)
    if definition is value or not is_document(definition) or "type" in value or "mappings" in definition:
        return
    if "fields" in definition:
        text = '"mappings" is required, since an index without a type is of type "search"'
        yield Finding("type", text, "type", suggestion='add type: "vectorSearch"', codes=REFUSED_DEFINITION)


def _is_vector(value: Mapping[str, Any], definition: Mapping[str, Any]) -> bool:
    if definition is not value and value.get("type") in ("search", "vectorSearch"):
        return bool(value["type"] == "vectorSearch")
    return "mappings" not in definition


def _read_indexes(
    index: Mapping[str, Any] | Iterable[Mapping[str, Any]] | None, models: Collection[str]
) -> list[IndexEntry]:
    if index is None:
        return []
    given = [index] if isinstance(index, Mapping) else list(index)
    entries = [read_index(one) for one in given]
    for entry in entries:
        definition = with_model_defaults(entry.definition, models)
        found = problems("vectorIndex" if entry.vector else "searchIndex", definition)
        if found:
            raise ValueError(f"the index definition is refused itself: {found[0].message}")
    return entries


# ------------------------------------------------------------------ the three kinds


def _check_pipeline(value: Any, indexes: Sequence[IndexEntry], release: Release | None) -> Report:
    stages = value if is_array(value) else [value]
    pipeline = read_pipeline(stages)
    findings = [*pipeline_findings(pipeline, release), *_against_indexes(pipeline, indexes)]
    return Report("pipeline", tuple(sorted(findings, key=_stage_number)), needed_release(pipeline))


def _stage_number(finding: Finding) -> int:
    """The outermost stage that a finding is about; within a stage, findings keep their order."""
    return int(finding.path[1 : finding.path.index("]")])


def _against_indexes(pipeline: Pipeline, indexes: Sequence[IndexEntry]) -> Iterator[Finding]:
    if not indexes:
        return
    searches = [stage for one in everything(pipeline) for stage in one.stages if stage.name in BODIES]
    for stage in searches:
        if not problems(BODIES[stage.name], stage.body):
            yield from index_findings(stage.name, stage.body, indexes, stage.path, alone=len(searches) == 1)


def _check_body(what: str, value: Any, indexes: Sequence[IndexEntry]) -> Report:
    found = from_problems(problems(what, value))
    findings = [*found, *(deprecated_operators(value, "") if is_document(value) else ())]
    if not found and indexes:
        findings += index_findings(_STAGES[what], value, indexes, "", alone=True)
    return Report(what, tuple(findings))


def definition_findings(definition: Any, *, vector: bool) -> Iterator[Finding]:
    """What the parser refuses in a definition, or else what index creation refuses."""
    found = problems("vectorIndex" if vector else "searchIndex", definition)
    yield from from_problems(found or create_problems(definition, vector=vector), codes=REFUSED_DEFINITION)


__all__ = ["KINDS", "check", "definition_findings", "guess"]
