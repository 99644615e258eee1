"""The best weights: exact along a line, searched and certified over the whole simplex."""

from atlas_rag.tuning.optimum.ascent import ascend
from atlas_rag.tuning.optimum.certificate import Certificate, certify
from atlas_rag.tuning.optimum.grid import simplex_grid
from atlas_rag.tuning.optimum.optimum import Optimum, optimum
from atlas_rag.tuning.optimum.plateau import Plateau, plateau_of, shortest_decimals
from atlas_rag.tuning.optimum.sweep import Sweep, sweep

__all__ = [
    "Certificate",
    "Optimum",
    "Plateau",
    "Sweep",
    "ascend",
    "certify",
    "optimum",
    "plateau_of",
    "shortest_decimals",
    "simplex_grid",
    "sweep",
]
