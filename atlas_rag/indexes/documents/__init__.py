"""Checks documents against index definitions: what would silently not be found."""

from atlas_rag.indexes.documents.check import Problem, check_documents, judge_documents

__all__ = ["Problem", "check_documents", "judge_documents"]
