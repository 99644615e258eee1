"""The definition of an index of type `search`."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from atlas_rag.indexes.definitions.analyzers import Analyzer
from atlas_rag.indexes.definitions.definition import IndexDefinition
from atlas_rag.indexes.definitions.fields import DEPRECATED_TYPES, DynamicTypes, FieldType, FieldTypes
from atlas_rag.indexes.definitions.part import Flag, Integer, Name, Part, Text, whole
from atlas_rag.indexes.definitions.stored_source import StoredSource

Order: TypeAlias = Annotated[Literal[1, -1], BeforeValidator(whole)]
"""1 upwards, -1 downwards."""


class Mappings(Part):
    """What of a document is indexed, and how.

    Args:
        dynamic: index what `fields` does not name, as of a document field; default False.
        fields: one type or several by field name.
    """

    dynamic: Flag | DynamicTypes | None = None
    fields: dict[str, FieldTypes] | None = None


class SynonymSource(Part):
    """Where synonyms are kept.

    Args:
        collection: of the same database.
    """

    collection: Name


class SynonymMapping(Part):
    """Synonyms that `text` and `phrase` can ask for.

    Args:
        name: distinct.
        source: where they are kept.
        analyzer: of the fields that they are asked for on.
    """

    name: Name
    source: SynonymSource
    analyzer: Name


class TypeSet(Part):
    """Types that `dynamic` can refer to.

    Args:
        name: distinct.
        types: one or more; documents, vectors and deprecated types cannot be dynamic.
    """

    name: Name
    types: Annotated[tuple[FieldType, ...], Field(min_length=1)]


class SortOrder(Part):
    """The order of an index by one field.

    Args:
        order: 1 upwards, -1 downwards.
        no_data: where documents without a value go: `lowest` (default) or `highest`.
    """

    order: Order
    no_data: Literal["highest", "lowest"] | None = None


class SearchDefinition(IndexDefinition):
    """An index for `$search` and `$searchMeta`.

    Args:
        mappings: what is indexed.
        analyzer: of strings that name none; default `lucene.standard`.
        search_analyzer: of queries; default `analyzer`.
        analyzers: of this index.
        synonyms: mappings kept in collections.
        stored_source: what is kept to answer from; default nothing.
        type_sets: for `dynamic`.
        sort: the order of the index by statically mapped `token`, `number`, `date`, `boolean`, `objectId` or
            `uuid` fields, which makes searches sorted alike faster.
        num_partitions: 1 (default), 2, 4, 8, 16, 32 or 64.

    Source: MongoDB documentation, search index definitions; bounds were measured on the engine.
    """

    index_type: ClassVar[Literal["search", "vectorSearch"]] = "search"

    mappings: Mappings
    analyzer: Text | None = None
    search_analyzer: Text | None = None
    analyzers: tuple[Analyzer, ...] | None = None
    synonyms: tuple[SynonymMapping, ...] | None = None
    stored_source: Flag | StoredSource | None = None
    type_sets: Annotated[tuple[TypeSet, ...], Field(min_length=1)] | None = None
    sort: Annotated[dict[str, Order | SortOrder], Field(min_length=1)] | None = None
    num_partitions: Integer | None = None

    @classmethod
    def _known_raw(cls) -> frozenset[str]:
        return DEPRECATED_TYPES
