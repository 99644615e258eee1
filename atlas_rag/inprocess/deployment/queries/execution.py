"""From commands to the executor: pipelines, queries, sorts and projections on collections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atlas_rag.inprocess.deployment.collations import Folding, folded_pipeline, folded_query
from atlas_rag.inprocess.deployment.namespace import Namespace
from atlas_rag.inprocess.deployment.queries.nearness import Near, split_near
from atlas_rag.inprocess.deployment.queries.projection import compile_find_projection
from atlas_rag.inprocess.deployment.queries.views import DatabaseView, ViewReader, readable
from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.interruption import is_interruption, watched_rows
from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Scope
from atlas_rag.inprocess.mql.stages.context import Context
from atlas_rag.inprocess.mql.stages.executor import compile_aggregate, run_rows
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.collation import Collation
from atlas_rag.inprocess.mql.values.row import Row
from atlas_rag.inprocess.rendering import render
from atlas_rag.inprocess.search import fusion_stages as fusion_stages  # registers the ranking stages

if TYPE_CHECKING:
    from atlas_rag.inprocess.deployment.deployment import Deployment

Document = dict[str, Any]
Variables = Mapping[str, Any] | None

_IN_UPDATES = ("$addFields", "$set", "$project", "$unset", "$replaceRoot", "$replaceWith")
_AT_FIND = "Executor error during find command"


def context_of(deployment: Deployment, database: str, arguments: Mapping[str, Any]) -> Context:
    """Returns what an aggregation needs to know, with `let` evaluated."""
    release = deployment.release.version
    return Context(
        DatabaseView(deployment, database, bypass=bool(arguments.get("bypassDocumentValidation"))),
        release=release,
        models=deployment.models,
        variables=_evaluated(arguments["let"], Scope(release=release)) if arguments.get("let") else {},
    )


def _evaluated(constants: Mapping[str, Any], scope: Scope) -> dict[str, Any]:
    nothing = Row({})
    return {name: compile_expression(value, scope)(nothing, {}) for name, value in constants.items()}


def aggregate(
    deployment: Deployment, database: str, name: str | None, arguments: Mapping[str, Any]
) -> list[Document]:
    """Returns all documents of an aggregation; they are shared with the store."""
    namespace = deployment.existing(database, name) if name else None
    check_hint(namespace, arguments.get("hint"))
    context = context_of(deployment, database, arguments)
    pipeline = arguments["pipeline"]
    if collation := arguments.get("collation"):
        return _aggregate_collated(pipeline, context, name, collation)
    rows = run_rows(pipeline, context, name, rows=_rows_by_identifier(namespace, pipeline))
    return [row.doc for row in rows]  # type: ignore[misc]


def _aggregate_collated(
    pipeline: Sequence[Any], context: Context, name: str | None, collation: Collation
) -> list[Document]:
    compile_aggregate(pipeline, context, name)  # what is wrong is said of the pipeline as sent
    folding = Folding(collation)
    source = context.database.collection(name) if name else None
    documents = source.documents() if source is not None else ()
    rows = folding.rows(map(Row, documents))
    found = run_rows(folded_pipeline(pipeline, collation), context, name, rows=rows)
    return [folding.original(row).doc for row in found]  # type: ignore[misc]


def _rows_by_identifier(namespace: Namespace | None, pipeline: Sequence[Any]) -> Iterator[Row] | None:
    """Returns the only rows that a `$match` in first place could pass; None where it does not fix `_id`."""
    stage = pipeline[0] if pipeline else None
    query = stage.get("$match") if isinstance(stage, Mapping) and len(stage) == 1 else None
    if namespace is None or not isinstance(query, Mapping):
        return None
    if "_id" not in query or _fixed_identifiers(query["_id"]) is None:
        return None
    return (Row(document) for _, document in candidates(namespace, query))


def compile_only(
    deployment: Deployment, database: str, name: str | None, arguments: Mapping[str, Any]
) -> None:
    """Refuses a pipeline that would not run."""
    compile_aggregate(arguments["pipeline"], context_of(deployment, database, arguments), name)


def find(deployment: Deployment, database: str, name: str, arguments: Mapping[str, Any]) -> list[Document]:
    """Returns all documents of a `find`; they are shared with the store."""
    namespace = readable(deployment, database, name)
    check_hint(namespace, arguments.get("hint"))
    arguments, backwards = _natural(arguments)
    query, near = split_near(_without_scripts(arguments.get("filter", {})))
    folding, sought = _folding(arguments.get("collation"), query)
    pipeline: list[Document] = [{"$match": sought}] if sought else []
    pipeline += [{"$sort": arguments["sort"]}] if arguments.get("sort") else []
    pipeline += [{"$skip": arguments["skip"]}] if arguments.get("skip") else []
    pipeline += [{"$limit": arguments["limit"]}] if arguments.get("limit") else []
    context = context_of(deployment, database, arguments)
    compiled = compile_aggregate(pipeline, context, name)
    project = compile_find_projection(arguments.get("projection", {}), query, context)
    if namespace is None:
        return []
    ordered = _in_order(namespace, {} if folding else query, near)
    rows = (Row(document) for _, document in (reversed(list(ordered)) if backwards else ordered))
    seen = folding.rows(rows) if folding else rows
    try:
        found = compiled.run_on(watched_rows(seen), context.system_variables())
        return [project(folding.original(row) if folding else row) for row in found]
    except CommandError as error:
        raise error if is_interruption(error) else error.within(_AT_FIND) from None


def _natural(arguments: Mapping[str, Any]) -> tuple[Mapping[str, Any], bool]:
    """Returns the arguments without `$natural` as an order, and whether the last document comes first.

    Raises:
        CommandError: 2, it is one of several fields, or neither 1 nor -1.
    """
    order, hint = arguments.get("sort") or {}, arguments.get("hint")
    asked = order if "$natural" in order else hint if isinstance(hint, Mapping) else {}
    if "$natural" not in asked:
        return arguments, False
    if len(asked) > 1:
        raise CommandError(2, f"Cannot include '$natural' in compound sort: {render(asked)}")
    direction = asked["$natural"]
    if direction not in (1, -1):
        raise CommandError(2, f"$natural sort cannot be set to a value other than -1 or 1: {render(asked)}")
    kept = {name: value for name, value in arguments.items() if name != "sort" or "$natural" not in order}
    return kept, direction == -1


def _folding(
    collation: Collation | None, query: Mapping[str, Any]
) -> tuple[Folding | None, Mapping[str, Any]]:
    """Returns how documents are to be seen, None for as they are, and the query to match then."""
    if collation is None:
        return None, query
    return Folding(collation), folded_query(query, collation)


def _without_scripts(query: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns a query without `$where`, which an aggregation refuses on a server too. Raises 115."""
    for name, argument in query.items():
        if name == "$where":
            raise CommandError(115, "$where is not supported by the in-process engine: it runs JavaScript")
        if name in ("$and", "$or", "$nor") and isinstance(argument, list):
            for clause in argument:
                _without_scripts(clause if isinstance(clause, Mapping) else {})
    return query


def _in_order(
    namespace: Namespace | ViewReader, query: Mapping[str, Any], near: Near | None
) -> Iterable[tuple[int, Mapping[str, Any]]]:
    """Yields the rows that a query could match, nearest first where it asks for nearness."""
    if isinstance(namespace, ViewReader):
        if near is not None:
            raise CommandError(168, "Unsupported in view pipeline: $near is not allowed on a view")
        return enumerate(namespace.documents())
    rows = candidates(namespace, query)
    if near is None:
        return rows
    near.check_index(namespace)
    return near.ordered(rows)


def candidates(namespace: Namespace, query: Mapping[str, Any]) -> Iterable[tuple[int, Document]]:
    """Yields all rows that a query could match; by key alone where it fixes `_id`."""
    identifiers = _fixed_identifiers(query.get("_id"))
    if "_id" not in query or identifiers is None:
        return namespace.rows
    keys = {key for key in map(namespace.rows.key_of, identifiers) if key is not None}
    found = ((key, namespace.rows.documents.get(key)) for key in sorted(keys))
    return ((key, document) for key, document in found if document is not None)


def _fixed_identifiers(condition: Any) -> list[Any] | None:
    """Returns the only `_id` values that a condition allows, None where it is of another kind."""
    if isinstance(condition, Mapping):
        first = next(iter(condition), "")
        if not first.startswith("$"):
            return [condition]
        if "$eq" in condition:
            return [condition["$eq"]]
        allowed = condition.get("$in")
        plain = isinstance(allowed, list) and all(type_name(value) != "regex" for value in allowed)
        return allowed if plain else None
    return None if type_name(condition) in ("regex", "array") else [condition]


class CompiledQuery:
    """The query, and the order, of a write: yields rows with their keys.

    Raises:
        CommandError: the query or the sort is malformed.
    """

    def __init__(
        self,
        deployment: Deployment,
        query: Mapping[str, Any],
        sort: Mapping[str, Any] | None = None,
        variables: Variables = None,
        collation: Collation | None = None,
    ) -> None:
        self._query, self._near = split_near(_without_scripts(query))
        self._folding, sought = _folding(collation, self._query)
        pipeline: list[Document] = [{"$match": sought}] if sought else []
        pipeline += [{"$sort": sort}] if sort else []
        self._context = context_of(deployment, "", {"let": variables})
        self._compiled = compile_aggregate(pipeline, self._context, None)

    def rows(self, namespace: Namespace) -> Iterator[tuple[int, Document]]:
        """Yields (key, document) of all that match, in order."""
        keys: dict[int, int] = {}  # a stored document is one object, so its identity leads to its key

        def as_rows() -> Iterator[Row]:
            for key, document in _in_order(namespace, {} if folding else self._query, self._near):
                keys[id(document)] = key
                yield Row(document)

        folding = self._folding
        rows = folding.rows(as_rows()) if folding else as_rows()
        for found in self._compiled.run_on(rows, self._context.system_variables()):
            row = folding.original(found) if folding else found
            yield keys[id(row.doc)], row.doc  # type: ignore[misc]


def compile_projection(
    deployment: Deployment, projection: Mapping[str, Any], query: Mapping[str, Any]
) -> Callable[[Document], Document]:
    """Returns the projection of `findAndModify`."""
    project = compile_find_projection(projection, query, context_of(deployment, "", {}))
    return lambda document: project(Row(document))


def check_update_form(deployment: Deployment, update: Any) -> None:
    """Refuses updates for which the whole command fails, not just one statement.

    Raises:
        CommandError: 9, it is neither an object nor an array; 14 or 40323, a stage has not the form of one;
            40324, a stage is unknown.
    """
    if isinstance(update, Mapping):
        return
    if not isinstance(update, list):
        raise CommandError(9, "Update argument must be either an object or an array")
    try:
        compile_aggregate(update, context_of(deployment, "", {}), None)
    except CommandError as error:
        if error.code in (40323, 40324) or not all(isinstance(stage, Mapping) for stage in update):
            raise


def compile_update_pipeline(
    deployment: Deployment, stages: Sequence[Any], variables: Variables
) -> Callable[[Mapping[str, Any]], Document]:
    """Returns an update pipeline as a function on one document. Raises 72 for a stage not allowed there."""
    context = context_of(deployment, "", {"let": variables})
    compiled = compile_aggregate(stages, context, None)
    for stage in stages:
        name = next(iter(stage))
        if name not in _IN_UPDATES:
            raise CommandError(72, f"{name} is not allowed to be used within an update")

    def run(document: Mapping[str, Any]) -> Document:
        (row,) = compiled.run_on(iter([Row(document)]), context.system_variables())
        return dict(row.doc)

    return run


def check_hint(namespace: Namespace | ViewReader | None, hint: Any) -> None:
    """Refuses a hint that names no index; a hint that does has nothing to speed up here. Raises 2 or 9."""
    if hint is None or namespace is None:
        return
    if not isinstance(hint, (str, Mapping)):
        raise CommandError(9, "Hint must be a string or an object")
    if isinstance(hint, Mapping) and list(hint) == ["$natural"]:
        return
    indexes = {} if isinstance(namespace, ViewReader) else namespace.indexes
    known = [specification["key"] for specification in indexes.values()]
    if hint not in (indexes if isinstance(hint, str) else known):
        where = "a view" if isinstance(namespace, ViewReader) else namespace.full_name
        raise CommandError(
            2,
            f"error processing query: ns={where} planner returned error :: caused by :: hint "
            "provided does not correspond to an existing index",
        )
