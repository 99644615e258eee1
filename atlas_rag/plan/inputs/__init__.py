"""The input pipelines a retriever has: ranked sources of documents, as values."""

from atlas_rag.plan.inputs.base import Ask, Input, InputFilter, check_inputs
from atlas_rag.plan.inputs.keyword import KeywordInput
from atlas_rag.plan.inputs.vector import VectorInput

__all__ = ["Ask", "Input", "InputFilter", "KeywordInput", "VectorInput", "check_inputs"]
