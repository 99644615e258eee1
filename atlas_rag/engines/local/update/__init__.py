"""Updates: operators, replacements and pipelines, each compiled once and applied to any document."""

from atlas_rag.engines.local.update.compile import Update, compile_update
from atlas_rag.engines.local.update.tree import Occasion
from atlas_rag.engines.local.update.upsert import refuse_expressions, seed

__all__ = ["Occasion", "Update", "compile_update", "refuse_expressions", "seed"]
