"""Models of automated embedding, whose settings a definition may leave out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from atlas_rag.grammar.kit import is_array, is_document

EMBEDDING_MODELS: Final = ("voyage-4", "voyage-4-large", "voyage-4-lite", "voyage-code-3")
"""Models that Atlas offers. Source: MongoDB documentation, automated embedding."""

_DIMENSIONS: Final = 1024


def with_model_defaults(definition: Any, models: Collection[str]) -> Any:
    """A vector index definition in which fields of known models say what they left to their model.

    The parser alone knows no model, and refuses what is left out.

    Args:
        models: names of the models that are known; case does not matter.
    """
    if not is_document(definition) or not is_array(definition.get("fields")):
        return definition
    known = {name.lower() for name in models}
    fields = [_told(field) if _has_known_model(field, known) else field for field in definition["fields"]]
    return {**definition, "fields": fields}


def _has_known_model(field: Any, known: Collection[str]) -> bool:
    if not is_document(field) or field.get("type") != "autoEmbed":
        return False
    model = field.get("model")
    return isinstance(model, str) and model.lower() in known


def _told(field: Mapping[str, Any]) -> dict[str, Any]:
    quantization = field.get("quantization") or "float"
    similarity = "euclidean" if str(quantization).startswith("binary") else "dotProduct"
    defaults = {"numDimensions": _DIMENSIONS, "similarity": similarity, "quantization": quantization}
    return {**defaults, **{name: value for name, value in field.items() if value is not None}}
