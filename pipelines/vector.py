"""Vector: nearest neighbours alone."""

from atlas_rag import VectorInput
from pipelines.recipe import Recipe

VECTOR = Recipe(
    name="vector", version=1, mode="vector", inputs=(VectorInput(),), index_files=("stdlib_vector",)
)
