"""`$search` for words as an input pipeline, ranked by BM25."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from atlas_rag.errors import CallError
from atlas_rag.plan.inputs.base import Ask, Input
from atlas_rag.query.filter import Filter
from atlas_rag.query.mode import Mode
from atlas_rag.query.refusal import known_names, nearest
from atlas_rag.query.threshold import ScoreKind
from atlas_rag.stages import Boost, Compound, FilterOperator, Limit, Operator, Search, Stage, Text
from atlas_rag.stages.filters import to_search_clauses


@known_names
@dataclass(frozen=True, slots=True, kw_only=True)
class KeywordInput(Input):
    """A ranked source of keyword matches.

    Args:
        index: name of the search index.
        paths: string fields to look in; their scores add up.
        name: input pipeline name; weights and contributions use it.
        boosts: factor > 0 per path, as a mapping or pairs; omitted means 1.
    """

    mode: ClassVar[Mode] = Mode.KEYWORD
    kind: ClassVar[ScoreKind] = ScoreKind.TEXT_RELEVANCE
    index_type: ClassVar[str] = "search"
    meta: ClassVar[str] = "searchScore"

    index: str = "text_index"
    paths: tuple[str, ...] = ("text",)
    name: str = "keyword"
    boosts: tuple[tuple[str, float], ...] = ()

    def __post_init__(self) -> None:
        Input.__post_init__(self)
        object.__setattr__(self, "paths", _paths(self.paths))
        object.__setattr__(self, "boosts", _boosts(self.boosts, self.paths))

    @property
    def text_paths(self) -> tuple[str, ...]:
        return self.paths

    def stages(self, ask: Ask) -> list[Stage]:
        operator = guarded(self._question(ask.keywords), ask.filter.inside)
        return [Search(index=self.index, operator=operator), Limit(ask.depth)]

    def _question(self, words: str) -> Operator:
        boosts = dict(self.boosts)
        plain = tuple(path for path in self.paths if path not in boosts)
        clauses: list[Operator] = []
        if plain:
            clauses.append(Text(query=words, path=plain[0] if len(plain) == 1 else plain))
        clauses += [Text(query=words, path=path, score=Boost(value=boost)) for path, boost in boosts.items()]
        return clauses[0] if len(clauses) == 1 else Compound(should=tuple(clauses))


def guarded(question: Operator, condition: Filter | None) -> Operator:
    """An operator that matches only where the filter holds; the filter adds nothing to scores."""
    if condition is None:
        return question
    guard = to_search_clauses(condition)
    return Compound(
        must=(question,),
        filter=tuple(map(FilterOperator, guard["filter"])) if "filter" in guard else None,
        must_not=tuple(map(FilterOperator, guard["mustNot"])) if "mustNot" in guard else None,
    )


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
