"""Stages with pipelines inside: `$lookup`, `$unionWith`, `$facet`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from atlas_rag.engines.local.expressions.compiler import compile_expression
from atlas_rag.engines.local.expressions.fields import check_field_name, check_path, check_variable_name
from atlas_rag.engines.local.expressions.scope import Release, Scope
from atlas_rag.engines.local.refusals import CommandError
from atlas_rag.engines.local.rendering import render_field
from atlas_rag.engines.local.stages.joining.equality import Joined, join_keys
from atlas_rag.engines.local.stages.pipeline import Pipeline, sub_pipeline
from atlas_rag.engines.local.stages.registry import Build, Rows, Run, each, stage
from atlas_rag.engines.local.stages.shaping.unwind import with_value
from atlas_rag.engines.local.values import type_name
from atlas_rag.engines.local.values.row import Row

_FUSIONS = frozenset({"$rankFusion", "$scoreFusion"})
_AFTER_SUB_PIPELINE = (6347901, "Can't access $$SEARCH_META after a stage with a sub-pipeline")


def _hide_search_meta(build: Build) -> None:
    if build.scope.search_meta is None:
        build.scope = build.scope._replace(search_meta=_AFTER_SUB_PIPELINE)


def _fresh(scope: Scope) -> Scope:
    """Returns the scope of a pipeline over another collection: variables stay, metadata does not."""
    return Scope(release=scope.release, variables=scope.variables)


@stage("$facet", in_facet=False)
def facet(argument: Any, build: Build) -> Run:
    """One document with the results of several pipelines over the same rows."""
    if not isinstance(argument, Mapping) or not argument:
        found = f"but found: {render_field('$facet', argument)}"
        raise CommandError(40169, f"the $facet specification must be a non-empty object, {found}")
    pipelines = {name: _facet_pipeline(name, stages, build) for name, stages in argument.items()}
    build.forget_metadata()
    _hide_search_meta(build)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        shared = list(rows)
        yield Row(
            {
                name: [row.doc for row in pipeline.run_on(iter(shared), variables)]
                for name, pipeline in pipelines.items()
            }
        )

    return run


def _facet_pipeline(name: str, stages: Any, build: Build) -> Pipeline:
    check_field_name(name)
    if not isinstance(stages, list):
        raise CommandError(40170, f"arguments to $facet must be arrays, {name} is type {type_name(stages)}")
    for position, document in enumerate(stages):
        if not isinstance(document, dict) or not document:
            element = f"{type_name(document)}: {render_field(str(position), document)}"
            text = f"must be non-empty objects, {name} argument contained an element of type {element}"
            raise CommandError(40171, f"elements of arrays in $facet spec {text}")
    return sub_pipeline(stages, build, "$facet")


@stage("$unionWith")
def union_with(argument: Any, build: Build) -> Run:
    """Appends the documents of another collection, or of a pipeline over it."""
    collection, stages = _union_parts(argument)
    pipeline = sub_pipeline(
        stages, build, "$unionWith", collection=collection, scope=_fresh(build.scope), database=None
    )
    _hide_search_meta(build)

    def run(rows: Rows, variables: dict[str, Any]) -> Rows:
        return chain(rows, _late(pipeline, variables))

    return run


def _late(pipeline: Pipeline, variables: dict[str, Any]) -> Iterator[Row]:
    """Runs a pipeline once its rows are asked for."""
    yield from pipeline.run(dict(variables))


def _union_parts(argument: Any) -> tuple[str | None, list[Any]]:
    if isinstance(argument, str):
        return argument, []
    if not isinstance(argument, Mapping):
        text = f"must be an object or string, but found {type_name(argument)}"
        raise CommandError(9, f"the $unionWith stage specification {text}")
    expected = {"coll": (str, "string"), "pipeline": (list, "array")}
    for name, value in argument.items():
        if name not in expected:
            raise CommandError(40415, f"BSON field '$unionWith.{name}' is an unknown field.")
        kind, word = expected[name]
        if not isinstance(value, kind):
            text = f"is the wrong type '{type_name(value)}', expected type '{word}'"
            raise CommandError(14, f"BSON field '$unionWith.{name}' {text}")
    collection, stages = argument.get("coll"), argument.get("pipeline", [])
    if collection is None and (not stages or "$documents" not in stages[0]):
        text = "must have a pipeline with $documents as first stage"
        raise CommandError(9, f"$unionWith stage without explicit collection {text}")
    return collection, stages


@stage("$lookup")
def lookup(argument: Any, build: Build) -> Run:
    """Adds the matching documents of another collection as an array."""
    _check_lookup(argument, build.context.release)
    path = argument["as"].split(".")
    bindings = {
        name: compile_expression(value, build.scope) for name, value in argument.get("let", {}).items()
    }
    collection, database = _source(argument.get("from"))
    pipeline = sub_pipeline(
        argument.get("pipeline", []),
        build,
        "$lookup",
        collection=collection,
        database=database,
        scope=_fresh(build.scope.with_variables(*bindings)),
    )
    join = _equality(argument, build, collection, database)
    _hide_search_meta(build)

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


def _equality(
    argument: Mapping[str, Any], build: Build, collection: str | None, database: str | None
) -> Joined | None:
    """Returns the join of `localField` and `foreignField`, None for a lookup by pipeline alone."""
    if "localField" not in argument:
        return None
    local, foreign = join_keys(argument["localField"]), argument["foreignField"]

    def documents() -> Any:
        found = build.context.database.collection(collection or "", database)
        return found.documents() if found is not None else ()

    return Joined(local, foreign, documents)


def _source(argument: Any) -> tuple[str | None, str | None]:
    if isinstance(argument, Mapping):
        return argument.get("coll"), argument.get("db")
    return argument, None


def _check_lookup(argument: Any, release: Release) -> None:
    if not isinstance(argument, Mapping):
        text = f"must be an object, but found {type_name(argument)}"
        raise CommandError(9, f"the $lookup stage specification {text}")
    for name, value in argument.items():
        _check_lookup_option(name, value)
    if "as" not in argument:
        raise CommandError(9, "must specify 'as' field for a $lookup")
    pair = "localField" in argument, "foreignField" in argument
    if "pipeline" not in argument and not all(pair):
        text = "requires either 'pipeline' or both 'localField' and 'foreignField' to be specified"
        if "from" not in argument:
            raise CommandError(9, "must specify 'pipeline' when 'from' is empty")
        raise CommandError(9, f"$lookup {text}")
    if any(pair) and not all(pair):
        raise CommandError(
            9, "$lookup requires both or neither of 'localField' and 'foreignField' to be specified"
        )
    names = {next(iter(each), "") for each in argument.get("pipeline", []) if isinstance(each, Mapping)}
    if all(pair) and names & _FUSIONS and release < (9, 0):
        text = "cannot combine 'localField' and 'foreignField' with a hybrid search in its pipeline"
        raise CommandError(12982600, f"$lookup {text}")
    if "pipeline" not in argument and "let" in argument:
        raise CommandError(9, "$lookup with a 'let' argument must also specify 'pipeline'")
    _check_source(argument)


def _check_source(argument: Mapping[str, Any]) -> None:
    if "from" not in argument:
        stages = argument.get("pipeline", [])
        if not stages or "$documents" not in stages[0]:
            raise CommandError(9, "must specify 'pipeline' when 'from' is empty")
    elif argument["from"] == "":
        raise CommandError(73, "invalid $lookup namespace: ")
    check_path(argument["as"])


def _check_lookup_option(name: str, value: Any) -> None:
    if name == "pipeline":
        if not isinstance(value, list):
            raise CommandError(14, "'pipeline' option must be specified as an array")
    elif name == "let":
        if not isinstance(value, Mapping):
            text = f"'{render_field(name, value)}' must be an object, is type {type_name(value)}"
            raise CommandError(9, f"$lookup argument {text}")
        for variable in value:
            check_variable_name(variable)
    elif name == "from":
        if not isinstance(value, (str, Mapping)):
            text = f"must be a string, but found {type_name(value)}"
            raise CommandError(9, f"$lookup 'from' field {text}")
    elif not isinstance(value, str):
        text = f"must be a string, found {render_field(name, value)}: {type_name(value)}"
        raise CommandError(9, f"$lookup argument '{name}' {text}")
    elif name not in ("as", "localField", "foreignField"):
        raise CommandError(9, f"unknown argument to $lookup: {name}")
