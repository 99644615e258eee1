"""Stages answered by a search index: `$search`, `$searchMeta`, `$vectorSearch`, `$listSearchIndexes`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from atlas_rag.grammar import (
    VECTOR_SEARCH_FIELDS,
    is_string,
    search_meta_problems,
    search_problems,
    vector_search_problems,
)
from atlas_rag.inprocess.errors import CommandError, EngineRefusal
from atlas_rag.inprocess.index import Answer, Index, IndexHit
from atlas_rag.inprocess.mql.match import compile_filter
from atlas_rag.inprocess.mql.stages.context import Collection
from atlas_rag.inprocess.mql.stages.registry import Build, Rows, Run, stage
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.mql.values.types import is_number
from atlas_rag.inprocess.rendering import render_field

_NOTHING = Answer((), {})
_BAD_VALUE = 2
_NO_OBJECT = 10065
_KNN_VECTORS = (
    ". Its knnVector fields are for the operator knnBeta: the manual shows $vectorSearch over them, the "
    "engine's published code refuses it. Index the field in a definition of type vectorSearch."
)
_SEARCH_META_REFUSED = (6347902, "Can't access $$SEARCH_META without a $search stage earlier in the pipeline")
_SEARCH_METADATA = frozenset({"searchScore", "score", "sortKey", "searchSequenceToken"})
_VECTOR_METADATA = frozenset({"vectorSearchScore", "score", "sortKey"})
# Stages that give one row for each row, so that a limit behind them limits the search.
_ONE_TO_ONE = frozenset(
    {"$project", "$addFields", "$set", "$unset", "$replaceRoot", "$replaceWith", "$lookup"}
)
_READ = {
    "$search": ("search", search_problems),
    "$searchBeta": ("search", search_problems),
    "$searchMeta": ("search", search_meta_problems),
    "$vectorSearch": ("vectorSearch", vector_search_problems),
}
"""By stage: the type of index that answers it, and what reads its body."""

_SEARCH_TRAITS: dict[str, Any] = {"is_source": True, "is_search": True, "in_facet": False}
_FIELDS_CHECKED = (9, 0)
"""The first release whose `$vectorSearch` refuses unknown fields; earlier ones do not send them on."""
_STORED_VECTORS = (9, 0)
"""The first release whose `$vectorSearch` returns stored sources."""


def wanted_rows(rest: list[dict[str, Any]]) -> int | None:
    """Returns how many rows of a source the stages behind it can use; None for all."""
    skipped = 0
    for document in rest:
        ((name, argument),) = document.items()
        if name == "$limit" and isinstance(argument, int) and argument > 0:
            return skipped + int(argument)
        if name == "$skip" and isinstance(argument, int) and argument >= 0:
            skipped += argument
        elif name not in _ONE_TO_ONE:
            return None
    return None


def _mentions(value: Any, name: str) -> bool:
    """True if `{$meta: name}` stands anywhere in a value."""
    if isinstance(value, Mapping):
        return value.get("$meta") == name or any(_mentions(item, name) for item in value.values())
    return isinstance(value, list) and any(_mentions(item, name) for item in value)


def _body(name: str, argument: Any, code: int = 9) -> Mapping[str, Any]:
    if not isinstance(argument, Mapping):
        raise CommandError(code, f"{name} value must be an object. Found: {render_field(name, argument)}")
    return argument


def _collection(build: Build) -> Collection | None:
    if build.collection is None:
        return None
    return build.context.database.collection(build.collection, build.database)


def _index(collection: Collection | None, body: Mapping[str, Any], stage_name: str) -> Index | None:
    """Returns the index that a body names, None if it does not exist; one of the other type is refused.

    The engine reads a body before it looks for the index, so it refuses a bad one with or without an index.
    """
    if collection is None:
        return None
    kind, problems = _READ[stage_name]
    name = body.get("index")
    if name is None and kind == "search":
        name = "default"
    found = None
    if isinstance(name, str) and is_string(name):  # JavaScript is a string to Python
        found = collection.search_index_type(name)
        if found == kind:
            return collection.search_index(name)  # which reads the body itself
    for problem in problems(body):
        raise EngineRefusal(problem)
    if found is not None:
        refusal = f"Cannot execute {stage_name} over {found} index '{name}'"
        raise EngineRefusal(refusal + (_KNN_VECTORS if _has_knn_vectors(collection, name) else ""))
    return None


def _has_knn_vectors(collection: Collection, name: Any) -> bool:
    entries = (entry for entry in collection.search_indexes() if entry["name"] == name)
    return any(_holds(entry.get("latestDefinition", {}).get("mappings"), "knnVector") for entry in entries)


def _holds(definition: Any, kind: str) -> bool:
    """True if a field of a type stands anywhere in a definition."""
    if isinstance(definition, Mapping):
        return definition.get("type") == kind or any(_holds(item, kind) for item in definition.values())
    return isinstance(definition, list) and any(_holds(item, kind) for item in definition)


def _search(name: str) -> None:
    @stage(name, needs_collection=True, **_SEARCH_TRAITS)
    def compile_stage(argument: Any, build: Build) -> Run:
        body = _body(name, argument, _NO_OBJECT)
        _check_booleans(body, "scoreDetails", "returnStoredSource")
        most = wanted_rows(build.rest)
        tokens = _mentions(build.rest, "searchSequenceToken")
        build.scope = build.scope._replace(
            search_meta=None, metadata=build.scope.metadata | _search_metadata(body)
        )

        def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
            collection = _collection(build)
            index = _index(collection, body, name)
            answer = index.search(body, limit=most, tokens=tokens) if index is not None else _NOTHING
            variables["SEARCH_META"] = dict(answer.meta)
            return _found(answer, collection, "searchScore")

        return run


def _search_metadata(body: Mapping[str, Any]) -> frozenset[str]:
    """What later stages may read with `$meta`."""
    names = _SEARCH_METADATA
    if body.get("scoreDetails") is True:
        names |= {"searchScoreDetails", "scoreDetails"}
    return names | {"searchHighlights"} if "highlight" in body else names


_search("$search")
_search("$searchBeta")


def _found(answer: Answer, collection: Collection | None, score_name: str) -> Iterator[Row]:
    """Yields the documents of the hits; one that is gone by now is passed over, as on a server."""
    if collection is None:
        return
    document_of = collection.document
    for hit in answer.hits:
        key, score, meta = hit
        if not meta:  # most hits: this runs once for each candidate
            if (document := document_of(key)) is not None:
                yield Row(document, {score_name: score, "score": score, "sortKey": [score]})
            continue
        stored = meta.get("storedSource")
        document = stored if stored is not None else document_of(key)
        if document is not None:
            yield Row(document, _metadata(hit, score_name))


def _metadata(hit: IndexHit, score_name: str) -> dict[str, Any]:
    meta = {**hit.meta, score_name: hit.score, "score": hit.score, "sortKey": [hit.score]}
    meta.pop("storedSource", None)
    if "searchScoreDetails" in meta:
        meta["scoreDetails"] = meta["searchScoreDetails"]
    return meta


@stage("$searchMeta", needs_collection=True, **_SEARCH_TRAITS)
def search_meta(argument: Any, build: Build) -> Run:
    """One document: counts and facets of a search."""
    body = _body("$searchMeta", argument, _NO_OBJECT)
    build.scope = build.scope._replace(search_meta=None)

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        collection = _collection(build)
        if collection is None:
            return
        index = _index(collection, body, "$searchMeta")
        meta = dict(index.search(body, meta_only=True).meta) if index is not None else {"count": {"total": 0}}
        variables["SEARCH_META"] = meta
        yield Row(meta)

    return run


@stage("$vectorSearch", release=(6, 0), in_lookup=(9, 0), needs_collection=True, **_SEARCH_TRAITS)
def vector_search(argument: Any, build: Build) -> Run:
    """The nearest documents of a vector index."""
    body = _body("$vectorSearch", argument)
    _check_vector_body(body)
    if build.context.release < _FIELDS_CHECKED:
        body = {name: value for name, value in body.items() if name in VECTOR_SEARCH_FIELDS}
    most = wanted_rows(build.rest)
    build.scope = build.scope._replace(
        search_meta=_SEARCH_META_REFUSED, metadata=build.scope.metadata | _VECTOR_METADATA
    )

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        if body.get("explainOptions") is not None:
            raise EngineRefusal('"explainOptions" can be given to explain only')
        collection = _collection(build)
        index = _index(collection, body, "$vectorSearch")
        if collection is None or index is None:
            return iter(())
        wanted = _without_look_up(collection, body, build) if body.get("returnStoredSource") else body
        answer = index.search(wanted, limit=most)
        return _found(answer, collection, "vectorSearchScore")

    return run


def _without_look_up(collection: Collection, body: Mapping[str, Any], build: Build) -> Mapping[str, Any]:
    """The body of a question for stored sources: before 9.0 the server looks documents up all the same.

    Raises:
        EngineRefusal: the index stores nothing.
    """
    entries = (entry for entry in collection.search_indexes() if entry["name"] == body["index"])
    if not any(entry["latestDefinition"].get("storedSource") for entry in entries):
        raise EngineRefusal("storedSource is not configured for this index")
    return {**body, "returnStoredSource": build.context.release >= _STORED_VECTORS}


def _check_vector_body(body: Mapping[str, Any]) -> None:
    """What the server itself looks at before the search engine does."""
    if "filter" in body and not isinstance(body["filter"], (Mapping, list)):
        raise CommandError(_NO_OBJECT, "invalid parameter: expected an object (filter)")
    _check_booleans(body, "returnStoredSource")
    limit = body.get("limit", 1)
    if not is_number(limit):
        raise CommandError(8575100, f"Expected limit to be a number, got: {render_field('limit', limit)}")
    if not to_float(limit) >= 1:
        raise CommandError(7912700, "Expected limit to be positive")
    if isinstance(body.get("filter"), Mapping):
        _check_filter(body["filter"])


def _check_booleans(body: Mapping[str, Any], *names: str) -> None:
    for name in names:
        if body.get(name) is not None and not isinstance(body[name], bool):
            found = type_name(body[name])
            raise CommandError(13111, f"wrong type for field ({name}) {found} != bool")


def _check_filter(query: Mapping[str, Any]) -> None:
    """Refuses what is no filter of `$match` either, which the server tries first, or none of a source.

    Raises:
        CommandError: 2 ($text and what is no filter), 5626500 ($near and its siblings).
    """
    names = set(_names_in(query))
    if "$text" in names:
        raise CommandError(_BAD_VALUE, "$text is not allowed in this context")
    if names & {"$near", "$nearSphere", "$geoNear"}:
        raise CommandError(5626500, "$geoNear, $near, and $nearSphere are not allowed in this context")
    try:
        compile_filter(query, expression=lambda _: lambda _: True)
    except CommandError as error:
        if error.code == _BAD_VALUE:
            raise


def _names_in(value: Any) -> Iterator[str]:
    """The names of fields at any depth."""
    if isinstance(value, Mapping):
        yield from value
        for item in value.values():
            yield from _names_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from _names_in(item)


@stage("$listSearchIndexes", release=(6, 0), **_SEARCH_TRAITS)
def list_search_indexes(argument: Any, build: Build) -> Run:
    """One document per search index."""
    body = _body("$listSearchIndexes", argument)
    for name in body:
        if name not in ("name", "id"):
            raise CommandError(40415, f"BSON field '$listSearchIndexes.{name}' is an unknown field.")
    if len(body) > 1:
        raise CommandError(72, "Cannot set both 'name' and 'id' for $listSearchIndexes.")

    def run(rows: Rows, variables: dict[str, Any]) -> Iterator[Row]:
        collection = _collection(build)
        for entry in collection.search_indexes() if collection is not None else ():
            if all(entry.get(name) == value for name, value in body.items()):
                yield Row(entry)

    return run
