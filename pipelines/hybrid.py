"""Hybrid: nearest neighbours and keywords, fused by reciprocal rank with equal weights."""

from atlas_rag import KeywordInput, VectorInput
from pipelines.recipe import Recipe

HYBRID = Recipe(
    name="hybrid",
    version=1,
    mode="hybrid",
    inputs=(VectorInput(), KeywordInput(paths=("title", "text"), boosts=(("title", 2.0),))),
    index_files=("stdlib_vector", "stdlib_text"),
)
