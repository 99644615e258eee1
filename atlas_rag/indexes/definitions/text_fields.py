"""Field types of a search index that analyse text.

Source: MongoDB documentation, field types; bounds and defaults were measured on the engine.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from atlas_rag.indexes.definitions.part import Flag, Integer, Name, Part, Text


class ScoreSimilarity(Part):
    """How terms of a field are scored.

    Args:
        type: `bm25` (default), `boolean` (1 per matching term) or `stableTfl` (no collection statistics).
    """

    type: Literal["bm25", "boolean", "stableTfl"]

    def __repr__(self) -> str:
        return f"ScoreSimilarity(type={self.type!r})"


def _typed(value: Any) -> Any:
    """A field read from a definition says its type."""
    if isinstance(value, dict) and value.get("type") is None:
        raise ValueError("has no type")
    return value


class StringField(Part):
    """Analysed text: `text`, `phrase`, `queryString`, `regex`, `wildcard`, `moreLikeThis`, highlights.

    Args:
        analyzer: stock (`lucene.english`) or of this index; default the index's, then `lucene.standard`.
        search_analyzer: for queries; default `analyzer`.
        index_options: what is kept per term: `docs`, `freqs`, `positions` or `offsets` (default).
        store: keep the text for highlights; default True.
        ignore_above: characters, ≥ 1; longer values are meant to be left out, which the engine does not do.
        norms: `include` (default) lets the length of a text count in its score; or `omit`.
        multi: other analyses of the same text by name, without dots; asked for with `MultiPath`.
        similarity: how terms are scored.
    """

    type: Literal["string"] = "string"
    analyzer: Name | None = None
    search_analyzer: Name | None = None
    index_options: Literal["docs", "freqs", "positions", "offsets"] | None = None
    store: Flag | None = None
    ignore_above: Annotated[Integer, Field(ge=1)] | None = None
    norms: Literal["include", "omit"] | None = None
    multi: dict[str, Annotated[StringField, BeforeValidator(_typed)]] | None = None
    similarity: ScoreSimilarity | None = None


class AutocompleteField(Part):
    """Parts of words, for the operator `autocomplete`.

    Args:
        analyzer: as of a string.
        min_grams, max_grams: characters of a part, 1 ≤ min_grams ≤ max_grams; default 2 and 15.
        tokenization: `edgeGram` (default: beginnings), `rightEdgeGram` (ends) or `nGram` (anywhere).
        fold_diacritics: treat é as e; default True.
        similarity: how parts are scored.
    """

    type: Literal["autocomplete"] = "autocomplete"
    analyzer: Text | None = None
    min_grams: Annotated[Integer, Field(ge=1)] | None = None
    max_grams: Annotated[Integer, Field(ge=1)] | None = None
    tokenization: Literal["edgeGram", "rightEdgeGram", "nGram"] | None = None
    fold_diacritics: Flag | None = None
    similarity: ScoreSimilarity | None = None
