"""`$rankFusion`, `$scoreFusion` and `$score` in the executor. Importing this package registers them.

rules.py, inputs.py (input pipelines) → fusion arithmetic (atlas_rag.fusion) → fused.py (rows) + details.py

`$rerank` needs a hosted model: it stays unknown (40324), as it is on every deployment but Atlas.
Source: MongoDB documentation and the published tests of `$rankFusion`, `$scoreFusion` and `$score`.
"""

from atlas_rag.inprocess.search.fusion_stages import rank_fusion, score, score_fusion

__all__ = ["rank_fusion", "score", "score_fusion"]
