"""langchain-mongodb's own hybrid retriever on a collection that is already there; prints one JSON document.

Runs in an environment of its own: `python langchain_hybrid.py URI < questions.json`, which holds
`[[question, vector], …]`.
"""

import json
import sys

from langchain_core.embeddings import Embeddings
from langchain_mongodb import MongoDBAtlasVectorSearch
from langchain_mongodb.retrievers import MongoDBAtlasHybridSearchRetriever
from pymongo import MongoClient

HITS = 5


class Given(Embeddings):
    """Vectors that were computed elsewhere."""

    def __init__(self, vectors):
        self.vectors = vectors

    def embed_documents(self, texts):
        return [self.vectors[text] for text in texts]

    def embed_query(self, text):
        return self.vectors[text]


def main(uri):
    asked = dict(json.load(sys.stdin))
    with MongoClient(uri) as client:
        store = MongoDBAtlasVectorSearch(
            client["atlas_rag_demo"]["handbook"],
            Given(asked),
            index_name="vector_index",
            text_key="text",
            embedding_key="embedding",
            auto_create_index=False,
        )
        retriever = MongoDBAtlasHybridSearchRetriever(
            vectorstore=store,
            search_index_name="text_index",
            k=HITS,
            pre_filter={"audience": {"$eq": "customers"}},
        )
        found = {
            question: [one.metadata["title"] for one in retriever.invoke(question)] for question in asked
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
