"""What one deployment can do for one collection: frozen, JSON-stable, and able to explain itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from atlas_rag.capability.deployment import Deployment
from atlas_rag.capability.feature import FLOORS, STAGES, Feature
from atlas_rag.capability.reason import NEXT_STEP, Reason
from atlas_rag.errors import Code, RetrievalError, SearchIndexError


class Verdict(BaseModel):
    """Whether one feature is there, and what was seen that says so."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    available: bool
    reason: Reason
    server_code: int | None = None
    seen: str = ""


class SearchIndex(BaseModel):
    """One search index as `$listSearchIndexes` shows it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    name: str
    type: Literal["search", "vectorSearch"]
    status: str
    queryable: bool
    definition: Mapping[str, Any]

    def filter_paths(self) -> frozenset[str]:
        """Paths that a vectorSearch index can filter on."""
        fields = self.definition.get("fields", ())
        if self.type != "vectorSearch" or not isinstance(fields, list | tuple):
            return frozenset()
        return frozenset(
            one["path"]
            for one in fields
            if isinstance(one, Mapping) and one.get("type") == "filter" and isinstance(one.get("path"), str)
        )

    def vector_paths(self) -> tuple[str, ...]:
        """Paths where a vectorSearch index has vectors or embeds text; none where that cannot be read."""
        fields = self.definition.get("fields", ())
        if self.type != "vectorSearch" or not isinstance(fields, list | tuple):
            return ()
        return tuple(
            str(one["path"])
            for one in fields
            if isinstance(one, Mapping) and one.get("type") != "filter" and "path" in one
        )

    def nested_root(self) -> str | None:
        """The path of the documents that a vectorSearch index holds one by one, or None."""
        root = self.definition.get("nestedRoot")
        return root if self.type == "vectorSearch" and isinstance(root, str) else None

    def vector_field(self, path: str) -> Mapping[str, Any] | None:
        """The definition of the vector at this path, or None."""
        fields = self.definition.get("fields", ())
        if self.type != "vectorSearch" or not isinstance(fields, list | tuple):
            return None
        return next(
            (
                one
                for one in fields
                if isinstance(one, Mapping) and one.get("path") == path and one.get("type") != "filter"
            ),
            None,
        )


class CapabilityReport(BaseModel):
    """The answer of one probe.

    `indexes` is None where they could not be listed; then `features` says why.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    namespace: str
    deployment: Deployment
    release: str
    features: Mapping[Feature, Verdict]
    indexes: tuple[SearchIndex, ...] | None

    def can(self, feature: Feature) -> bool:
        """Whether the feature is there."""
        return self.features[feature].available

    def index(self, name: str) -> SearchIndex | None:
        """The search index of this name, or None."""
        for index in self.indexes or ():
            if index.name == name:
                return index
        return None

    def explain(self, feature: Feature) -> str:
        """One line: present or not, how that is known, and what would help."""
        verdict = self.features[feature]
        stage = STAGES[feature]
        where = f"{self.namespace} ({self.deployment}, {self.release})"
        if verdict.available:
            return f"{stage} is available on {where}: {verdict.seen}."
        floor = ".".join(map(str, FLOORS[feature]))
        return (
            f"{stage} is not available on {where}: "
            f"{verdict.reason.value.replace('_', ' ')}, {verdict.seen}. "
            f"It needs server {floor} or newer with search. Next step: {self.next_step(feature)}."
        )

    def next_step(self, feature: Feature) -> str:
        """What would help; a missing privilege by its name."""
        reason = self.features[feature].reason
        if reason is Reason.NOT_AUTHORIZED:
            action = "listSearchIndexes" if feature is Feature.SEARCH_INDEX_LISTING else "find"
            return f"grant the action {action!r} on {self.namespace}; the built-in role 'read' contains it"
        return NEXT_STEP[reason]

    def require(self, feature: Feature) -> None:
        """Returns if the feature is there.

        Raises:
            RetrievalError: FEATURE_UNAVAILABLE, saying what is present, how it is known and what is missing.
        """
        if not self.can(feature):
            present = [STAGES[one] for one in Feature if self.can(one)]
            raise RetrievalError(
                self.explain(feature),
                expected=f"a deployment with {STAGES[feature]}; this one has {', '.join(present) or 'none'}",
                next_step=self.next_step(feature),
                code=Code.FEATURE_UNAVAILABLE,
            )

    def require_index(self, name: str, kind: Literal["search", "vectorSearch"]) -> SearchIndex:
        """The queryable index of this name and type.

        Raises:
            SearchIndexError: INDEX_MISSING, INDEX_NOT_READY, INDEX_FAILED or INDEX_CONFLICT.
        """
        index = self.index(name)
        if index is None:
            names = ", ".join(f"{one.name} ({one.type})" for one in self.indexes or ()) or "none"
            raise SearchIndexError(
                f"There is no search index {name!r} on {self.namespace}",
                expected=f"a {kind} index of that name; present: {names}",
                next_step="create it, or correct the name: a wrong name returns nothing, without an error",
                code=Code.INDEX_MISSING,
            )
        if index.type != kind:
            raise SearchIndexError(
                f"The index {name!r} on {self.namespace} is of type {index.type}",
                expected=f"type {kind}",
                next_step="name the other index; a type cannot be changed",
                code=Code.INDEX_CONFLICT,
            )
        if not index.queryable or index.status == "DELETING":
            failed = index.status == "FAILED"
            raise SearchIndexError(
                f"The index {name!r} on {self.namespace} is {index.status} and cannot be queried",
                expected="queryable: true, and not being deleted",
                next_step="read its status message and rebuild it"
                if failed
                else "wait until it is queryable",
                code=Code.INDEX_FAILED if failed else Code.INDEX_NOT_READY,
            )
        return index
