"""Hybrid retrieval on MongoDB Atlas, and an in-process engine that answers like it.

  ask          spell         know           choose        door          do                 read
query/  ──▶  stages/  +  capability/  ──▶   plan/   ──▶  wire/  ──▶  engines/atlas   ──▶  hits/
                                             │                       engines/local
                                             └── fusion/ ──────────────────┘
"""

from __future__ import annotations

__version__ = "0.1.0"
