"""The expression operators, by family. Importing this package registers them all."""

from atlas_rag.engines.local.expressions.operators import (
    arithmetic,
    arrays,
    conditions,
    conversion,
    date_units,
    dates,
    iteration,
    objects,
    regexes,
    rounding,
    sets,
    strings,
    sums,
    trigonometry,
    variables,
)

__all__ = [
    "arithmetic",
    "arrays",
    "conditions",
    "conversion",
    "date_units",
    "dates",
    "iteration",
    "objects",
    "regexes",
    "rounding",
    "sets",
    "strings",
    "sums",
    "trigonometry",
    "variables",
]
