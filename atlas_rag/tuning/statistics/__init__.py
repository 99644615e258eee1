"""Is a difference real? Paired tests, intervals and sample sizes, with numpy alone."""

from atlas_rag.tuning.statistics.error import standard_error
from atlas_rag.tuning.statistics.max_t import best_of_many
from atlas_rag.tuning.statistics.paired import Comparison, compare
from atlas_rag.tuning.statistics.power import detectable_difference, queries_needed
from atlas_rag.tuning.statistics.resampling import bootstrap_counts, bootstrap_interval
from atlas_rag.tuning.statistics.selected import Gain, equivalence_p, gain
from atlas_rag.tuning.statistics.student import two_sided_p

__all__ = [
    "Comparison",
    "Gain",
    "best_of_many",
    "bootstrap_counts",
    "bootstrap_interval",
    "compare",
    "detectable_difference",
    "equivalence_p",
    "gain",
    "queries_needed",
    "standard_error",
    "two_sided_p",
]
