"""What the input pipelines of a fusion may hold, and how a server refuses the rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.expressions.scope import Release

Stages = list[dict[str, Any]]

LITE_PARSED: Release = (9, 0)
"""Since this release the checks run before the pipelines are parsed, under codes of their own."""

_FUSIONS = frozenset({"$rankFusion", "$scoreFusion"})
_SELECTING = frozenset(
    {"$match", "$sort", "$limit", "$skip", "$sample", "$search", "$vectorSearch", "$geoNear"}
)


@dataclass(frozen=True)
class Code:
    """A refusal's code up to 8.x, and since 9.0."""

    parsed: int
    lite_parsed: int

    def at(self, release: Release) -> int:
        return self.lite_parsed if release >= LITE_PARSED else self.parsed


@dataclass(frozen=True)
class InputRules:
    """What one fusion stage asks of its input pipelines.

    Args:
        ranks: a pipeline is ranked (or scored) if its first stage is one of these,
        ranks_anywhere: or if this stage stands anywhere in it,
        text_ranks: or if it begins with a `$match` that holds `$text`.
        expected: the above in words.
        none: the code that refuses a fusion without input pipelines.
        empty: the code that refuses an input pipeline without stages.
        no_score: the code that refuses `$score`, where it has one of its own.
    """

    stage: str
    ranks: frozenset[str]
    ranks_anywhere: str
    text_ranks: bool
    expected: str
    none: Code
    empty: Code
    nested: Code
    unranked: Code
    not_selecting: Code
    no_score: Code | None = None

    def check_count(self, count: int, release: Release) -> None:
        """Refuses a fusion without input pipelines."""
        if not count:
            raise CommandError(self.none.at(release), f"{self.stage} must have at least one input pipeline")

    def check_nesting(self, name: str, stages: Stages, release: Release) -> None:
        """Refuses a fusion inside a fusion."""
        if _FUSIONS & set(_names(stages)):
            self._refuse(self.nested.at(release), name, "may not hold another fusion")

    def check_stages(self, name: str, stages: Stages, release: Release) -> None:
        """Refuses a pipeline that ranks nothing, or does more than to select and to rank."""
        names = _names(stages)
        if not names:
            self._refuse(self.empty.at(release), name, "must have at least one stage")
        if not self._is_ranked(names, stages):
            self._refuse(self.unranked.at(release), name, self.expected)
        if self.no_score is not None and "$score" in names:
            self._refuse(self.no_score.at(release), name, "may not hold $score")
        for stage in stages:
            reason = self._why_not_selecting(stage)
            if reason:
                self._refuse(self.not_selecting.at(release), name, f"may only select and rank, but {reason}")

    def _refuse(self, code: int, name: str, text: str) -> None:
        raise CommandError(code, f"{self.stage} input pipeline '{name}' {text}")

    def _is_ranked(self, names: list[str], stages: Stages) -> bool:
        if not names:
            return False
        filters = stages[0].get("$match")
        by_text = self.text_ranks and isinstance(filters, Mapping) and "$text" in filters
        return names[0] in self.ranks or self.ranks_anywhere in names or by_text

    def _why_not_selecting(self, stage: dict[str, Any]) -> str:
        ((name, argument),) = stage.items()
        body = argument if isinstance(argument, Mapping) else {}
        if name not in _SELECTING and name != self.ranks_anywhere:
            return f"{name} changes documents"
        if name == "$search" and body.get("returnStoredSource") is True:
            return "$search with returnStoredSource changes documents"
        if name == "$geoNear" and ("distanceField" in body or "includeLocs" in body):
            return "$geoNear with distanceField or includeLocs changes documents"
        return ""


def _names(stages: Stages) -> list[str]:
    return [next(iter(stage), "") for stage in stages if isinstance(stage, Mapping)]
