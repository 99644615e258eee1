"""Aggregation expressions, compiled once into functions of a row."""

from atlas_rag.inprocess.mql.expressions.compiler import compile_expression
from atlas_rag.inprocess.mql.expressions.scope import Constant, Evaluate, Scope

__all__ = ["Constant", "Evaluate", "Scope", "compile_expression"]
