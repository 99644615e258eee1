"""The demo's data: the handbook of a bicycle shop that does not exist, questions to it, and its vectors.

`prepare(collection, embedder)` loads the articles and builds the indexes of the recipe `handbook`; what is
there is left alone. The vectors come with the package, so that only questions have to be embedded.
"""

from atlas_rag.demo.corpus import COLLECTION, DATABASE, RECIPE, Question, articles, questions
from atlas_rag.demo.prepare import prepare
from atlas_rag.demo.vectors import HandbookEmbedder

__all__ = [
    "COLLECTION",
    "DATABASE",
    "RECIPE",
    "HandbookEmbedder",
    "Question",
    "articles",
    "prepare",
    "questions",
]
