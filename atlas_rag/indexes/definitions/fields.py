"""Fields that hold fields, and the choice of all field types of a search index."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Discriminator, Tag

from atlas_rag.grammar.field_types import FIELD_TYPES
from atlas_rag.indexes.definitions.part import Flag, Name, Part, RawPart, kind_by_type, one_or_many
from atlas_rag.indexes.definitions.scalar_fields import (
    AutoEmbedVectorField,
    BooleanField,
    DateField,
    GeoField,
    NumberField,
    ObjectIdField,
    SearchVectorField,
    TokenField,
    UuidField,
)
from atlas_rag.indexes.definitions.stored_source import StoredSource
from atlas_rag.indexes.definitions.text_fields import AutocompleteField, StringField

DEPRECATED_TYPES = frozenset(name for name, one in FIELD_TYPES.items() if one.deprecated)
"""Field types that old definitions hold: read as `RawPart`, not offered. Source: MongoDB documentation."""


class DynamicTypes(Part):
    """Says that a named set of types is taken without being told.

    Args:
        type_set: a name under the definition's `type_sets`.
    """

    type_set: Name


class DocumentField(Part):
    """A document inside the document.

    Args:
        dynamic: index what `fields` does not name; default False. True takes strings, numbers, dates,
            booleans, ObjectIds, UUIDs and documents, nothing else.
        fields: one type or several by field name.
    """

    type: Literal["document"] = "document"
    dynamic: Flag | DynamicTypes | None = None
    fields: dict[str, FieldTypes] | None = None


class EmbeddedDocumentsField(Part):
    """An array of documents that keep apart, for `embeddedDocument`, `hasAncestor` and `returnScope`.

    Args:
        dynamic, fields: as of a document.
        stored_source: what is kept of each, for `returnScope`; default nothing.
    """

    type: Literal["embeddedDocuments"] = "embeddedDocuments"
    dynamic: Flag | DynamicTypes | None = None
    fields: dict[str, FieldTypes] | None = None
    stored_source: Flag | StoredSource | None = None


FieldType: TypeAlias = Annotated[
    Annotated[AutoEmbedVectorField, Tag("autoEmbedVector")]
    | Annotated[AutocompleteField, Tag("autocomplete")]
    | Annotated[BooleanField, Tag("boolean")]
    | Annotated[DateField, Tag("date")]
    | Annotated[DocumentField, Tag("document")]
    | Annotated[EmbeddedDocumentsField, Tag("embeddedDocuments")]
    | Annotated[GeoField, Tag("geo")]
    | Annotated[NumberField, Tag("number")]
    | Annotated[ObjectIdField, Tag("objectId")]
    | Annotated[SearchVectorField, Tag("vector")]
    | Annotated[StringField, Tag("string")]
    | Annotated[TokenField, Tag("token")]
    | Annotated[UuidField, Tag("uuid")]
    | Annotated[RawPart, Tag("raw")],
    Discriminator(kind_by_type(DEPRECATED_TYPES)),
]
"""One field type."""

FieldTypes: TypeAlias = Annotated[
    Annotated[FieldType, Tag("one")] | Annotated[tuple[FieldType, ...], Tag("many")],
    Discriminator(one_or_many),
]
"""One field type, or several different ones for one field."""

DocumentField.model_rebuild()
EmbeddedDocumentsField.model_rebuild()
