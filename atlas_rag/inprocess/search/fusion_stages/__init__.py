"""`$rankFusion`, `$scoreFusion`, `$score` and `$rerank` in the executor. Importing this registers them.

rules.py, inputs.py (input pipelines) → fusion arithmetic (atlas_rag.fusion) → fused.py (rows) + details.py

`$rerank` needs a model: without one it is unknown (40324), as on every deployment but Atlas.
Source: MongoDB documentation and the published tests of `$rankFusion`, `$scoreFusion` and `$score`.
"""

from atlas_rag.inprocess.search.fusion_stages import rank_fusion, rerank, score, score_fusion

__all__ = ["rank_fusion", "rerank", "score", "score_fusion"]
