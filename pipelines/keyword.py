"""Keyword: BM25 over title and text, the title counting double."""

from atlas_rag import KeywordInput
from pipelines.recipe import Recipe

KEYWORD = Recipe(
    name="keyword",
    version=1,
    mode="keyword",
    inputs=(KeywordInput(paths=("title", "text"), boosts=(("title", 2.0),)),),
    index_files=("stdlib_text",),
)
