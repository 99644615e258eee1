"""langchain-mongodb builds its indexes, waits, loads and queries; prints one JSON document.

Runs in an environment of its own: `python langchain_stores.py URI`.
"""

import json
import sys

from langchain_core.embeddings import Embeddings
from langchain_mongodb import MongoDBAtlasVectorSearch
from langchain_mongodb.index import create_fulltext_search_index
from langchain_mongodb.retrievers import (
    MongoDBAtlasFullTextSearchRetriever,
    MongoDBAtlasHybridSearchRetriever,
)
from pymongo import MongoClient

TEXTS = ["red apple pie", "green apple salad", "blue ocean water", "deep ocean diving"]
WORDS = ["red", "green", "blue", "deep", "apple", "ocean", "pie", "salad", "water", "diving"]


class WordEmbeddings(Embeddings):
    """One dimension a word: similar texts share words."""

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text):
        return [float(word in text.split()) + 0.01 for word in WORDS]


def main(uri):
    with MongoClient(uri) as client:
        collection = client["langchain"]["things"]
        store = MongoDBAtlasVectorSearch(
            collection, WordEmbeddings(), index_name="vector", auto_create_index=False
        )
        store.create_vector_search_index(len(WORDS), filters=["kind"], wait_until_complete=60)
        create_fulltext_search_index(collection, "text", field="text", wait_until_complete=60)
        kinds = [{"kind": "food"}, {"kind": "food"}, {"kind": "sea"}, {"kind": "sea"}]
        store.add_texts(TEXTS, kinds)
        scored = store.similarity_search_with_score("red apple", k=2)
        filtered = store.similarity_search("red apple", k=4, pre_filter={"kind": {"$eq": "sea"}})
        full_text = MongoDBAtlasFullTextSearchRetriever(
            collection=collection, search_index_name="text", search_field="text", k=2
        )
        hybrid = MongoDBAtlasHybridSearchRetriever(vectorstore=store, search_index_name="text", k=3)
        diverse = store.max_marginal_relevance_search("apple", k=2, fetch_k=4)
        found = {
            "vector": [document.page_content for document, _ in scored],
            "scores fall": scored[0][1] > scored[1][1] > 0,
            "filtered": sorted(document.page_content for document in filtered),
            "text": [document.page_content for document in full_text.invoke("ocean diving")],
            "hybrid": [document.page_content for document in hybrid.invoke("green apple")],
            "diverse": len(diverse),
        }
        store.delete()
        found["left"] = collection.count_documents({})
        print(json.dumps(found))


main(sys.argv[1])
