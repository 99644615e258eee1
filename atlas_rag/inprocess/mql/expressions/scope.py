"""What an expression may refer to at the place where it stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values.row import Row

Release = tuple[int, int]
Variables = Mapping[str, Any]
Evaluate = Callable[[Row, Variables], Any]

SYSTEM_VARIABLES = frozenset({"ROOT", "CURRENT", "REMOVE", "NOW", "CLUSTER_TIME", "SEARCH_META"})


class Scope(NamedTuple):
    """Compile-time surroundings of an expression.

    Args:
        release: the server release whose rules apply, as (major, minor).
        variables: user variables in reach (`let`, `$map`, ...), without dollars.
        metadata: what the stages before produce, under the names that `$meta` takes.
        checks_metadata: False where metadata that no stage produces are let pass.
        search_meta: why `$$SEARCH_META` cannot be read here, as code and text; None if it can.
    """

    release: Release = (8, 2)
    variables: frozenset[str] = frozenset()
    metadata: frozenset[str] = frozenset()
    checks_metadata: bool = True
    search_meta: tuple[int, str] | None = (
        6347903,
        "Can't access $$SEARCH_META without a $search stage earlier in the pipeline",
    )

    def with_variables(self, *names: str) -> Scope:
        """Returns the scope in which more variables are known."""
        return self._replace(variables=self.variables | frozenset(names))

    def elsewhere(self) -> Scope:
        """Returns the scope of a pipeline over another collection: variables stay, metadata does not."""
        return Scope(release=self.release, variables=self.variables)


class Constant:
    """An expression whose value is known when it is compiled."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __call__(self, row: Row, variables: Variables) -> Any:
        return self.value


class LateError(CommandError):
    """What a server finds after it has parsed the whole pipeline, and before it sees a document."""


class FoldingError(LateError):
    """A constant expression failed when it was compiled."""


class MissingMetadata(LateError):  # noqa: N818 - named for what is wrong
    """No stage produces what `$meta` asks for; found after constants are computed."""
