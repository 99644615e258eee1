"""`$lookup`: the matching documents of another collection, as an array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.fields import check_path, check_variable_name
from atlas_rag.inprocess.mql.expressions.scope import Evaluate, Release
from atlas_rag.inprocess.mql.stages.joining.equality import Joined, join_keys
from atlas_rag.inprocess.mql.stages.joining.foreign import check_starts_with_documents, foreign_collection
from atlas_rag.inprocess.mql.stages.pipeline import checked_stages, sub_pipeline
from atlas_rag.inprocess.mql.stages.registry import Build, Run, each, stage
from atlas_rag.inprocess.mql.stages.shaping.unwind import with_value
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render_field

_FUSIONS = frozenset({"$rankFusion", "$scoreFusion"})
_PATHS = ("as", "localField", "foreignField")


def _pipelines(argument: Any) -> Iterator[list[Any]]:
    if not isinstance(argument, Mapping):
        text = f"must be an object, but found {type_name(argument)}"
        raise CommandError(9, f"the $lookup stage specification {text}")
    if "from" in argument:
        foreign_collection("$lookup", argument["from"])
    elif "pipeline" not in argument:
        raise CommandError(9, "must specify 'pipeline' when 'from' is empty")
    else:
        check_starts_with_documents("$lookup", _stages(argument["pipeline"]))
    if "pipeline" in argument:
        yield _stages(argument["pipeline"])


def _stages(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list):
        raise CommandError(14, "'pipeline' option must be specified as an array")
    return checked_stages(value)


@stage("$lookup", pipelines=_pipelines)
def lookup(argument: Any, build: Build) -> Run:
    """Adds the matching documents of another collection as an array."""
    _check(argument, build.context.release)
    path, collection = argument["as"].split("."), argument.get("from")
    bindings = _bindings(argument.get("let", {}), build)
    pipeline = sub_pipeline(
        argument.get("pipeline", []),
        build,
        "$lookup",
        collection=collection,
        database=None,
        scope=build.scope.with_variables(*bindings).elsewhere(),
    )
    join = _equality(argument, build)
    build.hide_search_meta()

    def attach(row: Row, variables: Mapping[str, Any]) -> Row:
        own = {**variables, **{name: value(row, variables) for name, value in bindings.items()}}
        if join is None:
            found = pipeline.run(own)
        elif pipeline.has_source:  # a search cannot start from the matches: it is compared with afterwards
            found = join.among(row.doc, pipeline.run(own))
        else:
            found = pipeline.run_on(join.matches(row.doc), own)
        return Row(with_value(row.doc, path, [match.doc for match in found]), row.meta)

    return each(attach)


def _bindings(variables: Mapping[str, Any], build: Build) -> dict[str, Evaluate]:
    bindings: dict[str, Evaluate] = {}
    for name, value in variables.items():
        check_variable_name(name)
        bindings[name] = compile_expression(value, build.scope)
    return bindings


def _equality(argument: Mapping[str, Any], build: Build) -> Joined | None:
    """Returns the join of `localField` and `foreignField`, None for a lookup by pipeline alone."""
    if not argument.get("localField"):
        return None
    local, foreign = join_keys(argument["localField"]), argument["foreignField"]

    def documents() -> Any:
        found = build.context.database.collection(argument.get("from", ""))
        return found.documents() if found is not None else ()

    return Joined(local, foreign, documents)


def _check(argument: Mapping[str, Any], release: Release) -> None:
    """Checks what was not checked before the first stage was compiled; an empty path counts as none."""
    for name, value in argument.items():
        _check_option(name, value)
    if not argument.get("as"):
        raise CommandError(9, "must specify 'as' field for a $lookup")
    _check_way(argument, release)
    for name in _PATHS:
        if argument.get(name):
            check_path(argument[name])


def _check_way(argument: Mapping[str, Any], release: Release) -> None:
    """Checks that the options say how documents match: by equality, by pipeline, or by both."""
    pair = bool(argument.get("localField")), bool(argument.get("foreignField"))
    if "pipeline" not in argument:
        if not all(pair):
            text = "requires either 'pipeline' or both 'localField' and 'foreignField' to be specified"
            raise CommandError(9, f"$lookup {text}")
        if "let" in argument:
            raise CommandError(9, "$lookup with a 'let' argument must also specify 'pipeline'")
    elif any(pair) and not all(pair):
        text = "requires both or neither of 'localField' and 'foreignField' to be specified"
        raise CommandError(9, f"$lookup {text}")
    elif all(pair) and release < (9, 0) and any(_FUSIONS & set(each) for each in argument["pipeline"]):
        text = "cannot combine 'localField' and 'foreignField' with a hybrid search in its pipeline"
        raise CommandError(12982600, f"$lookup {text}")


def _check_option(name: str, value: Any) -> None:
    if name in ("pipeline", "from"):
        return
    if name == "let":
        if not isinstance(value, Mapping):
            text = f"'{render_field(name, value)}' must be an object, is type {type_name(value)}"
            raise CommandError(9, f"$lookup argument {text}")
    elif not isinstance(value, str):
        text = f"must be a string, found {render_field(name, value)}: {type_name(value)}"
        raise CommandError(9, f"$lookup argument '{name}' {text}")
    elif name not in _PATHS:
        raise CommandError(9, f"unknown argument to $lookup: {name}")
