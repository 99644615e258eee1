"""One `$search` or `$searchMeta` request: from the body to hits and metadata."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import EngineRefusal
from atlas_rag.inprocess.index import Answer, IndexHit
from atlas_rag.inprocess.search.search_index.counting import count_of, scores_alike
from atlas_rag.inprocess.search.search_index.faceting import Facets
from atlas_rag.inprocess.search.search_index.highlighting import Highlighter
from atlas_rag.inprocess.search.search_index.mapping import SearchMapping
from atlas_rag.inprocess.search.search_index.names import ROOT_SCOPE, Scope
from atlas_rag.inprocess.search.search_index.operators.context import Context, Synonyms
from atlas_rag.inprocess.search.search_index.operators.vector import limit_of
from atlas_rag.inprocess.search.search_index.pagination import page_of, token_of
from atlas_rag.inprocess.search.search_index.partition import Partition
from atlas_rag.inprocess.search.search_index.queries.base import Matches, Query, Weight, rewritten
from atlas_rag.inprocess.search.search_index.queries.details import with_details
from atlas_rag.inprocess.search.search_index.queries.leaves import MatchAll
from atlas_rag.inprocess.search.search_index.ranking import Placed, best_by_score, best_by_values
from atlas_rag.inprocess.search.search_index.sorting import Sorter, SortKey, read_sort
from atlas_rag.inprocess.search.search_index.stored import Sources, strings_at

Meta = dict[str, Any]
_NO_META: Mapping[str, Any] = MappingProxyType({})


class Parts(NamedTuple):
    """What an index answers from."""

    mapping: SearchMapping
    partitions: Sequence[Partition]
    sources: Sources
    synonyms: Synonyms | None
    new_synonyms: bool


class Request:
    """A body bound to an index.

    Args:
        body: of `$search` or `$searchMeta`, known to be well formed.
    """

    def __init__(self, body: Mapping[str, Any], index: Parts) -> None:
        self._body = body
        self._mapping = index.mapping
        self._partitions = index.partitions
        self._sources = index.sources
        self._scope = self._returned_scope()
        self._contexts = [
            Context(index.mapping, partition, self._scope, index.synonyms, index.new_synonyms)
            for partition in index.partitions
        ]
        if body.get("returnStoredSource"):
            self._sources.require(self._scope)
        sort = body.get("sort") or body.get("sortBetaV1")
        self._sort: list[SortKey] = read_sort(sort) if sort else []
        self._most = limit_of(body)

    def answer(self, limit: int | None, *, meta_only: bool, tokens: bool) -> Answer:
        """Runs the request."""
        weights = [self._weight(context) for context in self._contexts]
        matches = [self._returned(weight) for weight in weights]
        sorters = [self._sorter(self._sort, partition) for partition in self._partitions]
        alike = meta_only or all(scores_alike(weight.query) for weight in weights)
        meta = self._meta(matches, may_stop=alike and not self._sort)
        if meta_only:
            return Answer((), meta)
        placed = self._ranked(matches, sorters, limit)
        return Answer(self._hits(placed, tokens), meta)

    def _returned_scope(self) -> Scope:
        scope = self._body.get("returnScope")
        if scope is None:
            return ROOT_SCOPE
        found = self._mapping.scopes.get(scope["path"])
        if found is None:
            raise EngineRefusal(
                f"returnScope requires path '{scope['path']}' to be indexed as 'embeddedDocuments'"
            )
        return found

    def _query(self, context: Context) -> Query:
        collector = self._body.get("facet")
        if collector is None:
            return context.build(self._body)
        operator = collector.get("operator")
        return MatchAll() if operator is None else context.build(operator)

    def _weight(self, context: Context) -> Weight:
        query = rewritten(self._query(context), context.partition)
        return query.weigh(context.partition)

    def _returned(self, weight: Weight) -> Matches:
        """Keeps the matches of the scope that is returned, in the order that decides ties."""
        docs, scores = weight.matches
        if len(self._mapping.scopes) > 1:
            own = weight.partition.documents.arrays.scopes[docs] == self._scope.number
            docs, scores = docs[own], scores[own]
        index_sort = self._mapping.definition.get("sort")
        if index_sort and not self._scope.path:
            order = self._sorter(read_sort(index_sort), weight.partition).order(docs, scores, None)
            docs, scores = docs[order], scores[order]
        return Matches(docs, scores)

    def _sorter(self, keys: Sequence[SortKey], partition: Partition) -> Sorter:
        return Sorter(keys, self._mapping, partition, self._scope)

    def _meta(self, matches: Sequence[Matches], *, may_stop: bool) -> Meta:
        collector = self._body.get("facet")
        total = sum(len(part.docs) for part in matches)
        total = total if self._most is None else min(total, self._most)
        stop = may_stop and collector is None
        meta: Meta = {"count": count_of(self._body.get("count"), total, may_stop=stop)}
        if collector is not None:
            facets = Facets(collector["facets"], self._mapping, self._scope)
            meta["facet"] = facets.counts(self._partitions, [part.docs for part in matches])
        return meta

    def _ranked(
        self, matches: Sequence[Matches], sorters: Sequence[Sorter], limit: int | None
    ) -> list[Placed]:
        paged = self._body.get("searchAfter") is not None or self._body.get("searchBefore") is not None
        wanted = self._most if paged else _least(limit, self._most)
        if self._sort:
            placed = best_by_values(matches, sorters, self._sort, wanted)
        else:
            placed = best_by_score(matches, wanted)
        return page_of(placed, self._body, self._sort, limit) if paged else placed

    def _hits(self, placed: Sequence[Placed], tokens: bool) -> list[IndexHit]:
        additions = self._additions(tokens)
        keys = [partition.documents.arrays.keys for partition in self._partitions]
        return [
            IndexHit(
                int(keys[place.partition][place.doc]),
                place.score,
                {name: make(place) for name, make in additions} if additions else _NO_META,
            )
            for place in placed
        ]

    def _additions(self, tokens: bool) -> list[tuple[str, Callable[[Placed], Any]]]:
        """What each hit carries besides key and score, by `$meta` name."""
        found: list[tuple[str, Callable[[Placed], Any]]] = []
        if self._sort:
            found.append(("searchSortValues", _sort_values))
        if self._body.get("scoreDetails"):
            found.append(("searchScoreDetails", self._explainer()))
        if self._body.get("highlight") is not None:
            found.append(("searchHighlights", self._highlighter()))
        if self._body.get("returnStoredSource"):
            found.append(("storedSource", self._stored))
        if self._scope.path:
            found.append(("searchRootDocumentId", self._root_id))
        if tokens:
            found.append(("searchSequenceToken", token_of))
        return found

    def _highlighter(self) -> Callable[[Placed], Any]:
        highlighters = [
            Highlighter(self._body["highlight"], self._query(context), context, strings_at)
            for context in self._contexts
        ]

        def highlights(place: Placed) -> Any:
            partition = self._partitions[place.partition]
            document = self._sources.document(partition, place.doc, self._scope)
            return highlighters[place.partition].highlights(document)

        return highlights

    def _explainer(self) -> Callable[[Placed], Any]:
        weights = []
        for context in self._contexts:
            query = rewritten(with_details(self._query(context)), context.partition)
            weights.append(query.weigh(context.partition))

        def explain(place: Placed) -> Any:
            explanation = weights[place.partition].explain(place.doc)
            return None if explanation is None else explanation.as_document()

        return explain

    def _stored(self, place: Placed) -> Any:
        return self._sources.stored(self._partitions[place.partition], place.doc, self._scope)

    def _root_id(self, place: Placed) -> Any:
        return self._sources.root(self._partitions[place.partition], place.doc).get("_id")


def _least(*limits: int | None) -> int | None:
    return min((limit for limit in limits if limit is not None), default=None)


def _sort_values(place: Placed) -> dict[str, Any]:
    return {f"_{at}": value for at, value in enumerate(place.values)}
