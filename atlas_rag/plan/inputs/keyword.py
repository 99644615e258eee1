"""`$search` for words as an input pipeline, ranked by BM25."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from atlas_rag import stages as spell
from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Ask, Input
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names, nearest
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages.filters import to_search_clauses

DEFAULT_SLOP = 2
"""Moves of a phrase: its words in another order of two neighbours still count."""


@known_names
@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordInput(Input):
    """A ranked source of keyword matches.

    Args:
        index: name of the search index.
        paths: string fields to look in; their scores add up.
        name: input pipeline name; weights and contributions use it.
        boosts: factor > 0 per path, as a mapping or pairs; omitted means 1.
        fuzzy: typing errors to forgive; not together with `synonyms`.
        phrase_boost: factor > 0 for documents that hold the whole question as a phrase; None for no phrase.
        phrase_slop: moves that such a phrase allows, ≥ 0; default 2.
        synonyms: name of a synonym mapping of the index.
        match_criteria: `any` (default) or `all` words within one field.
        analyzer: name of a `multi` of each path, whose analyzer is to be used in place of the field's own.
    """

    mode: ClassVar[Mode] = Mode.KEYWORD
    kind: ClassVar[ScoreKind] = ScoreKind.TEXT_RELEVANCE
    index_type: ClassVar[str] = "search"
    meta: ClassVar[str] = "searchScore"
    form: ClassVar[str] = "keyword"

    index: str = "text_index"
    paths: tuple[str, ...] = ("text",)
    name: str = "keyword"
    boosts: tuple[tuple[str, float], ...] = ()
    fuzzy: spell.Fuzzy | None = None
    phrase_boost: float | None = None
    phrase_slop: int = DEFAULT_SLOP
    synonyms: str | None = None
    match_criteria: Literal["any", "all"] | None = None
    analyzer: str | None = None

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        object.__setattr__(self, "paths", _paths(self.paths))
        object.__setattr__(self, "boosts", _boosts(self.boosts, self.paths))
        if isinstance(self.fuzzy, Mapping):
            object.__setattr__(self, "fuzzy", spell.Fuzzy.read(self.fuzzy))
        self._question("question")  # refuses here what no question could make right

    @property
    def text_paths(self) -> tuple[str, ...]:
        return self.paths

    def ranked(self, ask: Ask) -> list[spell.Stage]:
        operator = guarded(self._question(ask.keywords), ask.filter.inside)
        return [spell.Search(index=self.index, operator=operator), spell.Limit(ask.depth)]

    def _question(self, words: str) -> spell.Operator:
        boosts = dict(self.boosts)
        plain = tuple(path for path in self.paths if path not in boosts)
        clauses: list[spell.Operator] = []
        if plain:
            clauses.append(self._text(words, plain, None))
        clauses += [self._text(words, (path,), boost) for path, boost in boosts.items()]
        question = clauses[0] if len(clauses) == 1 else spell.Compound(should=tuple(clauses))
        if self.phrase_boost is None:
            return question
        score = spell.Boost(value=self.phrase_boost)
        phrase = spell.Phrase(query=words, path=self._where(self.paths), slop=self.phrase_slop, score=score)
        return spell.Compound(must=(question,), should=(phrase,))

    def _text(self, words: str, paths: tuple[str, ...], boost: float | None) -> spell.Text:
        return spell.Text(
            query=words,
            path=self._where(paths),
            fuzzy=self.fuzzy,
            synonyms=self.synonyms,
            match_criteria=self.match_criteria,
            score=None if boost is None else spell.Boost(value=boost),
        )

    def _where(self, paths: tuple[str, ...]) -> Any:
        named: tuple[Any, ...] = paths
        if self.analyzer is not None:
            named = tuple(spell.MultiPath(value=path, multi=self.analyzer) for path in paths)
        return named[0] if len(named) == 1 else named

    def to_dict(self) -> dict[str, Any]:
        options = ("phrase_boost", "synonyms", "match_criteria", "analyzer")
        given = {name: getattr(self, name) for name in options if getattr(self, name) is not None}
        if self.fuzzy is not None:
            given["fuzzy"] = self.fuzzy.spell()
        if self.phrase_slop != DEFAULT_SLOP:
            given["phrase_slop"] = self.phrase_slop
        if self.boosts:
            given["boosts"] = dict(self.boosts)
        own = {"kind": self.form, "name": self.name, "index": self.index, "paths": list(self.paths)}
        return own | given


def guarded(question: spell.Operator, condition: Filter | None) -> spell.Operator:
    """An operator that matches only where the filter holds; the filter adds nothing to scores."""
    if condition is None:
        return question
    if isinstance(question, spell.VectorSearchOperator):
        return _prefiltered(question, condition)
    return _compound(condition, must=(question,))


def _prefiltered(question: spell.VectorSearchOperator, condition: Filter) -> spell.VectorSearchOperator:
    """The operator with the filter in its own, which acts before the nearest vectors are looked for."""
    lexical = () if question.filter is None else (question.filter,)
    document = question.spell() | {"filter": _compound(condition, filters=lexical).to_operator()}
    return spell.VectorSearchOperator.read(document)


def _compound(
    condition: Filter, *, must: tuple[spell.Operator, ...] = (), filters: tuple[spell.Operator, ...] = ()
) -> spell.Compound:
    """The filter as clauses, beside others that must match."""
    guard = to_search_clauses(condition)
    inside = (*filters, *map(spell.FilterOperator, guard.get("filter", ())))
    outside = tuple(map(spell.FilterOperator, guard.get("mustNot", ())))
    return spell.Compound(must=must or None, filter=inside or None, must_not=outside or None)


def _paths(given: Any) -> tuple[str, ...]:
    if isinstance(given, str) or not isinstance(given, (list, tuple)) or not given:
        raise CallError(
            f"KeywordInput.paths is {given!r}",
            expected="a list of at least one string path",
            next_step=f"pass [{given!r}]" if isinstance(given, str) and given else "name the text fields",
        )
    for path in given:
        if not isinstance(path, str) or not path:
            raise CallError(
                f"KeywordInput.paths holds {path!r}",
                expected="string paths",
                next_step="name the text fields",
            )
    return tuple(given)


def _boosts(given: Any, paths: tuple[str, ...]) -> tuple[tuple[str, float], ...]:
    try:
        boosts = tuple((path, boost) for path, boost in dict(given).items())
    except (TypeError, ValueError):
        raise CallError(
            f"KeywordInput.boosts is a {type(given).__name__}",
            expected="a factor per path",
            next_step="pass {'title': 2.0}",
        ) from None
    for path, boost in boosts:
        if path not in paths:
            meant = nearest(path, paths)
            raise CallError(
                f"KeywordInput.boosts names {path!r}",
                expected=f"one of {', '.join(paths)}",
                next_step=f"did you mean {meant!r}?" if meant else "add it to paths",
            )
        if isinstance(boost, bool) or not isinstance(boost, (int, float)) or not 0 < boost < float("inf"):
            raise CallError(
                f"KeywordInput.boosts has {boost!r} for {path!r}",
                expected="a finite factor above 0",
                next_step="pass {'title': 2.0}",
            )
    return boosts
