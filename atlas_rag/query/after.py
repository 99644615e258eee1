"""What becomes of hits after they have their final scores, as values."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from atlas_rag.errors import CallError
from atlas_rag.query.refusal import refusal, shown


def field_path(path: str, name: str) -> str:
    """The path as it is, if it leads through plain field names.

    Raises:
        CallError: INVALID_OPTION.
    """
    if any(not part or part.startswith("$") or "\0" in part for part in path.split(".")):
        raise CallError(
            f"{name} is {shown(path)}", expected="a dotted field path", next_step="name the field"
        )
    return path


class _After(BaseModel):
    """A frozen value whose mistakes are told as those of options are."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            what = f"argument of {type(self).__name__}"
            raise refusal(error, what, type(self).model_fields, hints={}) from None


class Collapse(_After):
    """Groups chunks to documents: only the best of each group stay.

    Acts on finally scored hits that reach the thresholds, before skip and limit. A hit without a value at
    `by` (or with null there) is a group of its own.

    Args:
        by: dotted path of what the chunks of one document share, such as "doc_id".
        keep: hits that stay of each group, ≥ 1; default 1.

    Raises:
        CallError: INVALID_OPTION.
    """

    by: str
    keep: int = Field(default=1, ge=1, strict=True)

    @field_validator("by")
    @classmethod
    def _dotted(cls, value: str) -> str:
        return field_path(value, "Collapse.by")

    def __str__(self) -> str:
        return f"by {self.by}, keep {self.keep}"


class Diversify(_After):
    """Maximal marginal relevance: each next hit is good, and unlike those before it.

    Acts on finally scored hits, after thresholds and collapse, before skip and limit; scores stay as they
    are, so that they no longer fall from hit to hit.

    Formula: next = argmax over hits d not yet taken of
    λ · relevance(d) − (1 − λ) · max over hits s taken of cosine(d, s), where relevance is the final score
    scaled to 0…1 over the hits (all equal: 1; unscored: 0), and the second term is 0 for the first hit.
    Cosines count to 12 decimals; of equal values the hit that was ranked first is taken. A hit without a
    usable vector is like no other (cosine 0). Vectors of bits count as ±1.

    Source: Carbonell and Goldstein, "The Use of MMR, Diversity-Based Reranking for Reordering Documents and
    Producing Summaries", SIGIR 1998.

    Args:
        relevance: λ, 0…1: 1 keeps the order as it was, 0 looks for difference alone; default 0.5.
        path: dotted path of the stored vectors; default that of the retriever's vector inputs. They are
            fetched in one further request, and are in no hit.

    Raises:
        CallError: INVALID_OPTION.
    """

    relevance: float = Field(default=0.5, ge=0, le=1, strict=True)
    path: str | None = None

    @field_validator("path")
    @classmethod
    def _dotted(cls, value: str | None) -> str | None:
        return None if value is None else field_path(value, "Diversify.path")

    def __str__(self) -> str:
        return f"relevance {self.relevance:g}"
