"""A LlamaIndex query engine over the demo's handbook, with a stand-in for the model.

python examples/llama_index_query.py "my tyre is flat"
"""

from __future__ import annotations

import sys

from llama_index.core.llms import MockLLM
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer

from atlas_rag import LocalClient, Retriever
from atlas_rag.demo import RECIPE, HandbookEmbedder, prepare
from atlas_rag.integrations.llama_index import AtlasRagRetriever
from atlas_rag.recipes import read_recipe


def make_engine() -> RetrieverQueryEngine:
    """A query engine whose answers carry their source nodes; give it a model of your own."""
    embedder = HandbookEmbedder()
    collection = LocalClient()["shop"]["handbook"]
    prepare(collection, embedder)
    ours = Retriever(
        collection,
        inputs=read_recipe(RECIPE).inputs,
        embedder=embedder,
        store_filter={"audience": "customers"},
    )
    return RetrieverQueryEngine(
        AtlasRagRetriever(ours, options={"limit": 3}),
        response_synthesizer=get_response_synthesizer(llm=MockLLM(max_tokens=60)),
    )


if __name__ == "__main__":
    answer = make_engine().query(" ".join(sys.argv[1:]) or "my tyre is flat")
    print(answer)
    for node in answer.source_nodes:
        print(f"{node.score:.5f}  {node.metadata['title']}  {node.metadata['ranks']}")
