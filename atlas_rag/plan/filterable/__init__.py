"""Whether an index can decide a filter as `Filter` means it: pure functions over definitions.

A definition comes from the deployment and may be of any age: what cannot be read is what the index cannot
decide, never an error.
"""

from atlas_rag.plan.filterable.finding import Undecided
from atlas_rag.plan.filterable.levels import Levels, split_levels
from atlas_rag.plan.filterable.rule import Division, divide, undecided

__all__ = ["Division", "Levels", "Undecided", "divide", "split_levels", "undecided"]
