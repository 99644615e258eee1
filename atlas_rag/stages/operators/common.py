"""Options that several operators share."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from atlas_rag.stages import checks
from atlas_rag.stages.operators import paths
from atlas_rag.stages.spelling import Read, WireModel, spelled_class

Query: TypeAlias = Annotated[str | tuple[str, ...], checks.texts]
"""One text, or several alternatives whose scores add."""

TextPath: TypeAlias = Annotated[paths.Path, paths.path, Read(paths.read_path)]
"""Where operators on text look: paths, multi analyzers, wildcards."""

PlainPath: TypeAlias = Annotated[str, checks.word]
"""One dotted path."""

FieldPath: TypeAlias = Annotated[str | tuple[str, ...], checks.texts, Read(paths.read_field_path)]
"""One dotted path or several."""

DoesNotAffect: TypeAlias = Annotated[str | tuple[str, ...] | None, checks.texts]
"""Names of facets that ignore a clause (drill sideways)."""


@spelled_class
class Fuzzy(WireModel):
    """Typing errors to forgive.

    Args:
        max_edits: 1 or 2; default 2.
        prefix_length: leading characters that must be right, ≥ 0; default 0.
        max_expansions: terms tried per query term, 1…1000; default 50.
    """

    label: ClassVar[str] = "fuzzy"

    max_edits: Annotated[int | None, checks.integer(1, 2)] = None
    prefix_length: Annotated[int | None, checks.integer(0)] = None
    max_expansions: Annotated[int | None, checks.integer(1, 1000)] = None


FuzzyOption: TypeAlias = Annotated[Fuzzy | None, checks.instance(Fuzzy), Read(Fuzzy.read)]
