"""Updates: operators, replacements and pipelines, each compiled once and applied to any document."""

from atlas_rag.inprocess.mql.update.compile import Update, compile_update
from atlas_rag.inprocess.mql.update.tree import Occasion
from atlas_rag.inprocess.mql.update.upsert import refuse_expressions, seed

__all__ = ["Occasion", "Update", "compile_update", "refuse_expressions", "seed"]
