"""llama-index's MongoDB store builds its indexes, waits, loads and queries; prints one JSON document.

Runs in an environment of its own: `python llama_index_stores.py URI`.
"""

import json
import os
import sys

from llama_index.core.schema import TextNode
from llama_index.core.vector_stores.types import (
    MetadataFilter,
    MetadataFilters,
    VectorStoreQuery,
    VectorStoreQueryMode,
)
from llama_index.vector_stores.mongodb import MongoDBAtlasVectorSearch
from pymongo import MongoClient

TEXTS = ["red apple pie", "green apple salad", "blue ocean water", "deep ocean diving"]
WORDS = ["red", "green", "blue", "deep", "apple", "ocean", "pie", "salad", "water", "diving"]


def embed(text):
    return [float(word in text.split()) + 0.01 for word in WORDS]


def main(uri):
    os.environ["MONGODB_URI"] = uri  # the store makes its asynchronous client from it
    with MongoClient(uri) as client:
        store = MongoDBAtlasVectorSearch(
            mongodb_client=client,
            db_name="llama",
            collection_name="things",
            vector_index_name="vector",
            fulltext_index_name="text",
        )
        store.create_vector_search_index(
            dimensions=len(WORDS), path="embedding", similarity="cosine", filters=["metadata.kind"],
            wait_until_complete=60,
        )  # fmt: skip
        store.create_fulltext_search_index(field="text", field_type="string", wait_until_complete=60)
        nodes = [
            TextNode(id_=str(number), text=text, embedding=embed(text), metadata={"kind": kind})
            for number, (text, kind) in enumerate(zip(TEXTS, ["food", "food", "sea", "sea"], strict=True))
        ]
        store.add(nodes)

        def ask(text, mode, filters=None):
            query = VectorStoreQuery(
                query_embedding=embed(text), query_str=text, similarity_top_k=2, hybrid_top_k=3,
                mode=mode, alpha=0.5, filters=filters,
            )  # fmt: skip
            return [node.text for node in store.query(query).nodes]

        sea = MetadataFilters(filters=[MetadataFilter(key="kind", value="sea")])
        found = {
            "vector": ask("red apple", VectorStoreQueryMode.DEFAULT),
            "filtered": sorted(ask("red apple", VectorStoreQueryMode.DEFAULT, sea)),
            "text": ask("ocean diving", VectorStoreQueryMode.TEXT_SEARCH),
            "hybrid": ask("green apple", VectorStoreQueryMode.HYBRID),
        }
        print(json.dumps(found))


main(sys.argv[1])
