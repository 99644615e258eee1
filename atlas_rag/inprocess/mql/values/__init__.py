"""BSON values: their types, their order, their numbers and the paths that lead to them."""

from atlas_rag.inprocess.mql.values.order import compare, equal, sort_key
from atlas_rag.inprocess.mql.values.types import MISSING, Document, is_truthy, type_name

__all__ = ["MISSING", "Document", "compare", "equal", "is_truthy", "sort_key", "type_name"]
