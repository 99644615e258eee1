"""Options of `$search` and `$searchMeta` around their operator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators.common import PlainPath, TextPath
from atlas_rag.stages.spelling import WireModel, invalid, spelled_class


@spelled_class
class Count(WireModel):
    """How hits are counted; the number is in `$$SEARCH_META.count`.

    Args:
        type: `lowerBound` (default), exact up to the threshold only, or `total`.
        threshold: ≥ 0; default 1000; for `lowerBound`.
    """

    label: ClassVar[str] = "count"

    type: Annotated[str | None, checks.one_of("lowerBound", "total")] = None
    threshold: Annotated[int | None, checks.integer(0)] = None


@spelled_class
class Highlight(WireModel):
    """Passages that show what matched, as `{$meta: "searchHighlights"}`.

    Args:
        path: stored `string` fields.
        max_num_passages: of one field, ≥ 1; default 5.
        max_chars_to_examine: characters of one field, ≥ 1; default 500 000.
    """

    label: ClassVar[str] = "highlight"

    path: TextPath
    max_num_passages: Annotated[int | None, checks.integer(1)] = None
    max_chars_to_examine: Annotated[int | None, checks.integer(1)] = None


@spelled_class
class Tracking(WireModel):
    """What Atlas counts this query under.

    Args:
        search_terms: text for the dashboards of query analytics.
    """

    label: ClassVar[str] = "tracking"

    search_terms: Annotated[str, checks.string]


@spelled_class
class ReturnScope(WireModel):
    """Makes embedded documents the hits; server 8.2.

    Args:
        path: an `embeddedDocuments` field with stored source.
    """

    label: ClassVar[str] = "returnScope"

    path: PlainPath


@spelled_class
class NodePreference(WireModel):
    """Sends queries of one key to one search node, as far as possible.

    Args:
        key: any text.
    """

    label: ClassVar[str] = "searchNodePreference"

    key: Annotated[str, checks.text]


# ------------------------------------------------------------------ sort


def _order(value: Any, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or value not in (1, -1):
        raise invalid(f"{name} is no order", "1 or -1")


@spelled_class
class SortBy(WireModel):
    """Orders hits by a field; of an array the least value counts upwards, the greatest downwards.

    Args:
        path: a field mapped as `token`, `number`, `date`, `boolean`, `objectId` or `uuid`.
        order: 1 upwards (default), -1 downwards.
        no_data: where documents without a value go: `lowest` (default) or `highest`.
    """

    label: ClassVar[str] = "sort"

    path: Annotated[str, checks.string]
    order: Annotated[int, _order] = 1
    no_data: Annotated[str | None, checks.one_of("highest", "lowest")] = None

    def entry(self) -> tuple[str, Any]:
        """The key and its specification."""
        if self.no_data is None:
            return self.path, self.order
        return self.path, {"order": self.order, "noData": self.no_data}


@spelled_class
class SortByScore(WireModel):
    """Orders hits by score, which makes sense after other fields.

    Args:
        key: any name that no other sort key has.
        order: -1 the best first (default), or 1.
    """

    label: ClassVar[str] = "sort"

    key: Annotated[str, checks.string] = "score"
    order: Annotated[int | None, _order] = None

    def entry(self) -> tuple[str, Any]:
        """The key and its specification."""
        by_score: dict[str, Any] = {"$meta": "searchScore"}
        return self.key, by_score if self.order is None else {**by_score, "order": self.order}


SortKeys: TypeAlias = tuple[SortBy | SortByScore, ...]


def sort_keys(value: Any, name: str) -> None:
    """A non-empty tuple of sort keys, no name twice."""
    checks.each(checks.instance(SortBy, SortByScore))(value, name)
    if len({key.entry()[0] for key in value}) < len(value):
        raise invalid(f"{name} has one key twice", "distinct keys")


def read_sort(document: Any) -> SortKeys:
    """Reads the document under `sort`."""
    if not isinstance(document, Mapping):
        raise invalid(f"sort is a {type(document).__name__}", "a document of fields")
    return tuple(_read_key(name, given) for name, given in document.items())


def _read_key(name: str, given: Any) -> SortBy | SortByScore:
    if not isinstance(given, Mapping):
        return SortBy(path=name, order=checks.integer.reader(given))
    options = {option: value for option, value in given.items() if value is not None}
    order = checks.integer.reader(options.pop("order", None))
    if options == {"$meta": "searchScore"}:
        return SortByScore(key=name, order=order)
    no_data = options.pop("noData", None)
    if options:
        raise invalid(f"sort.{name} has unknown options", "order, noData, or $meta: searchScore")
    return SortBy(path=name, order=order, no_data=no_data)
