"""A small kit of declarative grammar: typed values, arrays, exact-key documents, and their refusals."""

from atlas_rag.grammar.kit.bson_types import (
    binary_subtype,
    is_array,
    is_document,
    is_number,
    is_string,
    type_name,
)
from atlas_rag.grammar.kit.choices import DocumentOr, MapOf, Tagged
from atlas_rag.grammar.kit.documents import (
    Document,
    Rule,
    at_least_one,
    at_most_one,
    exactly_one,
    field,
    nullable,
    required,
    unknown_fields,
)
from atlas_rag.grammar.kit.lists import ListOf, OneOrMany, distinct, no_duplicates
from atlas_rag.grammar.kit.node import Later, Node
from atlas_rag.grammar.kit.numbers import (
    BETWEEN_0_AND_1,
    NONZERO,
    NOT_NEGATIVE,
    POSITIVE,
    Double,
    Float32,
    Int32,
    Range,
    within,
)
from atlas_rag.grammar.kit.scalars import Anything, Boolean, Enum, Literal, Text

__all__ = [
    "BETWEEN_0_AND_1",
    "NONZERO",
    "NOT_NEGATIVE",
    "POSITIVE",
    "Anything",
    "Boolean",
    "Document",
    "DocumentOr",
    "Double",
    "Enum",
    "Float32",
    "Int32",
    "Later",
    "ListOf",
    "Literal",
    "MapOf",
    "Node",
    "OneOrMany",
    "Range",
    "Rule",
    "Tagged",
    "Text",
    "at_least_one",
    "at_most_one",
    "binary_subtype",
    "distinct",
    "exactly_one",
    "field",
    "is_array",
    "is_document",
    "is_number",
    "is_string",
    "no_duplicates",
    "nullable",
    "required",
    "type_name",
    "unknown_fields",
    "within",
]
