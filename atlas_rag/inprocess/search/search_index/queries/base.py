"""What every query is: rewritten once, then weighed, then asked for its matches or for an explanation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.storage.runs import Ints

if TYPE_CHECKING:
    from atlas_rag.inprocess.search.search_index.partition import Partition

Floats = NDArray[np.float32]
ONE = np.float32(1.0)


class Matches(NamedTuple):
    """Matching documents, ascending, with their float32 scores."""

    docs: Ints
    scores: Floats


NOTHING = Matches(np.zeros(0, np.int32), np.zeros(0, np.float32))


class Explanation(NamedTuple):
    """Why a document has its score, in Lucene's words."""

    value: float | np.float32
    description: str
    details: tuple[Explanation, ...] = ()

    def as_document(self) -> dict[str, Any]:
        """Returns the nested document that `searchScoreDetails` is; all its numbers are float32."""
        return {
            "value": float(np.float32(self.value)),
            "description": self.description,
            "details": [part.as_document() for part in self.details],
        }


class Query(ABC):
    """One node of a query; equal queries are interchangeable. `str` gives Lucene's rendering.

    `is_group`: the rendering is several clauses, so it stands in parentheses as a clause itself.
    """

    __slots__ = ()
    is_group: ClassVar[bool] = False

    @property
    def explained(self) -> str:
        """Lucene's rendering in an explanation."""
        return str(self)

    def rewrite(self, partition: Partition) -> Query:
        """Returns a simpler query with the same scores, or itself."""
        return self

    def unscored(self) -> Query:
        """Returns a simpler query with the same matches, for places where scores are not read."""
        return self

    @abstractmethod
    def weigh(self, partition: Partition, boost: np.float32 = ONE) -> Weight:
        """Binds the query to the statistics of a partition.

        Args:
            boost: product of the boosts above, float32.
        """


class Weight(ABC):
    """A query bound to one partition.

    Args:
        boost: product of the boosts above, float32.
    """

    def __init__(self, query: Query, partition: Partition, boost: np.float32) -> None:
        self.query = query
        self.partition = partition
        self.boost = boost

    @cached_property
    def matches(self) -> Matches:
        """All live matches."""
        return self.compute()

    @property
    def filtering(self) -> Explanation:
        """What a match is explained by where it only filters: the query, without its score."""
        return Explanation(1.0, str(self.query))

    @property
    def docs(self) -> Ints:
        """The matching documents, where scores are not read."""
        return self.matches.docs

    @abstractmethod
    def compute(self) -> Matches:
        """Finds the matches; called once."""

    def explain(self, doc: int) -> Explanation | None:
        """Explains the score of a document, or None where it does not match."""
        score = self.score_of(doc)
        return None if score is None else self.explain_match(doc, score)

    @abstractmethod
    def explain_match(self, doc: int, score: np.float32) -> Explanation:
        """Explains the score of a document that matches."""

    def score_of(self, doc: int) -> np.float32 | None:
        """Returns the score of one document, None where it does not match."""
        docs, scores = self.matches
        at = int(docs.searchsorted(doc))
        if at == len(docs) or docs[at] != doc:
            return None
        score: np.float32 = scores[at]
        return score


def rewritten(query: Query, partition: Partition) -> Query:
    """Rewrites until nothing changes, as Lucene's searcher does."""
    simpler = query.rewrite(partition)
    while simpler is not query:
        query, simpler = simpler, simpler.rewrite(partition)
    return query


def boost_suffix(boost: float | np.float32) -> str:
    """Renders a boost as Lucene appends it to a query: nothing for 1."""
    return "" if boost == 1 else f"^{float_text(boost)}"


def float_text(value: float | np.float32) -> str:
    """Renders a float32 the way Java prints it: shortest digits that read back."""
    return _java(str(np.float32(value)))


def double_text(value: float) -> str:
    """Renders a double the way Java prints it."""
    return _java(repr(float(value)))


def _java(digits: str) -> str:
    """Rewrites Python's shortest digits into Java's notation (scientific below 1e-3 and from 1e7)."""
    number = float(digits)
    if number != number or number in (float("inf"), float("-inf")):
        return {"inf": "Infinity", "-inf": "-Infinity"}.get(str(number), "NaN")
    if number == 0:
        return "-0.0" if digits.startswith("-") else "0.0"
    mantissa, _, exponent = digits.lower().partition("e")
    if 1e-3 <= abs(number) < 1e7:
        return _plain(mantissa, int(exponent or 0))
    return _scientific(mantissa, int(exponent or 0))


def _plain(mantissa: str, exponent: int) -> str:
    if exponent == 0:
        return mantissa if "." in mantissa else mantissa + ".0"
    sign, digits, point = _digits(mantissa, exponent)
    if point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    digits = digits.ljust(point, "0")
    return f"{sign}{digits[:point]}.{digits[point:] or '0'}"


def _scientific(mantissa: str, exponent: int) -> str:
    sign, digits, point = _digits(mantissa, exponent)
    return f"{sign}{digits[0]}.{digits[1:] or '0'}E{point - 1}"


def _digits(mantissa: str, exponent: int) -> tuple[str, str, int]:
    """Splits a number into sign, significant digits and where the decimal point stands in them."""
    sign = "-" if mantissa.startswith("-") else ""
    whole, _, fraction = mantissa.lstrip("-").partition(".")
    point = len(whole) + exponent
    digits = whole + fraction
    stripped = digits.lstrip("0")
    point -= len(digits) - len(stripped)
    return sign, stripped.rstrip("0") or "0", point
