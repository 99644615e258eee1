"""One returned document, with its rank, its score and where both came from."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic

from bson import json_util

from atlas_rag.hits.contributions import Contribution, Contributions
from atlas_rag.hits.document import Document
from atlas_rag.hits.score import Score


def as_json(value: Any) -> Any:
    """A BSON value as plain JSON data: relaxed Extended JSON."""
    return json.loads(json_util.dumps(value, json_options=json_util.RELAXED_JSON_OPTIONS))


@dataclass(frozen=True, slots=True, eq=False)
class Hit(Generic[Document]):
    """One document of a result. Hits are equal where `_id`, rank, score and contributions are.

    Args:
        id: the document's `_id`.
        rank: 1-based position in the result.
        score: of the result's kind, or None: unscored, never 0.
        document: the document without its vectors, as a mapping or an object of the retriever's class for
            documents; not in `repr`.
        contributions: per input pipeline of a fusion, in name order; empty for a single pipeline.
        raw: the mapping that an object was made from; None where `document` is the mapping. See `fields`.
        highlights: passages that show the words found, as `$search` gives them; empty unless asked for.
        token: of its place in the order of one `$search`; None unless asked for by `search_after`.
        neighbours: the chunks beside it in its document, in reading order; empty unless asked for.
    """

    id: Any
    rank: int
    score: Score | None
    document: Document = field(repr=False, hash=False, compare=False)
    contributions: Mapping[str, Contribution] = field(default_factory=dict, hash=False)
    raw: Mapping[str, Any] | None = field(default=None, repr=False, hash=False, compare=False)
    highlights: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, hash=False, compare=False)
    neighbours: tuple[Mapping[str, Any], ...] = field(default=(), repr=False, hash=False, compare=False)
    token: str | None = field(default=None, repr=False, hash=False, compare=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hit) and self._identity() == other._identity()

    def __hash__(self) -> int:
        return hash(self._identity()[:-1])

    def _identity(self) -> tuple[Any, ...]:
        """Value and kind apart, so that hits of two kinds are different and not an error."""
        score = None if self.score is None else (self.score.value, self.score.kind)
        return self.id, self.rank, score, self.contributions

    @property
    def fields(self) -> Mapping[str, Any]:
        """The document as a mapping, whatever `document` is."""
        given: Any = self.document if self.raw is None else self.raw
        found: Mapping[str, Any] = given
        return found

    def value_at(self, path: str) -> Any:
        """The value at a dotted path through sub-documents, or None."""
        value: Any = self.fields
        for part in path.split("."):
            value = value.get(part) if isinstance(value, Mapping) else None
        return value

    @property
    def ranks(self) -> dict[str, int | None]:
        """The rank in each input pipeline of a fusion, by name; None where it did not return the document."""
        said = self.contributions
        if isinstance(said, Contributions):
            return said.ranks()
        return {name: contribution.rank for name, contribution in said.items()}

    def to_dict(self) -> dict[str, Any]:
        """The hit as JSON: the document in relaxed Extended JSON, contributions in name order."""
        said = {
            name: {
                "rank": one.rank,
                "weight": one.weight,
                "value": one.value,
                "raw": one.raw,
                "kind": one.kind.value,
            }
            for name, one in self.contributions.items()
        }
        beside = {"highlights": self.highlights, "neighbours": self.neighbours}
        return {
            "id": as_json(self.id),
            "rank": self.rank,
            "score": None if self.score is None else self.score.value,
            "kind": None if self.score is None else self.score.kind.value,
            "contributions": said,
            "document": as_json(dict(self.fields)),
            **{name: as_json(list(found)) for name, found in beside.items() if found},
        }

    @property
    def unscored(self) -> bool:
        """Whether the deployment reported no score."""
        return self.score is None
