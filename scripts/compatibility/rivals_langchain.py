"""Hello-world tasks with langchain-mongodb: how many lines, how many requests; prints one JSON document.

Runs in an environment of its own: `python rivals_langchain.py URI`. The collection is there already.
"""

import inspect
import json
import sys

from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_mongodb import MongoDBAtlasVectorSearch
from langchain_mongodb.docstores import MongoDBDocStore
from langchain_mongodb.retrievers import (
    MongoDBAtlasHybridSearchRetriever,
    MongoDBAtlasParentDocumentRetriever,
)
from langchain_text_splitters import CharacterTextSplitter
from pymongo import MongoClient, monitoring


class Words(Embeddings):
    """A vector of 64 numbers from the letters of a text: any will do here."""

    def embed_query(self, text):
        return [1.0 + text.lower().count(chr(97 + place % 26)) for place in range(64)]

    def embed_documents(self, texts):
        return [self.embed_query(text) for text in texts]


class Counter(monitoring.CommandListener):
    """Counts what is sent."""

    def __init__(self):
        self.sent = 0

    def started(self, event):
        self.sent += 1

    def succeeded(self, event):
        pass

    def failed(self, event):
        pass


class Longest:
    """Judges texts by their length."""

    def rerank(self, texts):
        return [float(len(text)) for text in texts]


def hybrid(store, question):
    retriever = MongoDBAtlasHybridSearchRetriever(vectorstore=store, search_index_name="text_index", k=3)
    return retriever.invoke(question)


def filtered(store, question):
    retriever = MongoDBAtlasHybridSearchRetriever(
        vectorstore=store,
        search_index_name="text_index",
        k=3,
        pre_filter={"tenant": {"$eq": "a"}},
        post_filter=[{"$match": {"tenant": "a"}}],
    )
    return retriever.invoke(question)


def parent_document(store, question):
    retriever = MongoDBAtlasParentDocumentRetriever(
        vectorstore=store,
        docstore=MongoDBDocStore(store.collection.database["parents"]),
        child_splitter=CharacterTextSplitter(),
        id_key="doc",
        search_kwargs={"k": 3},
    )
    return retriever.invoke(question)


def unlike_each_other(store, question):
    return store.max_marginal_relevance_search(question, k=3, fetch_k=9, lambda_mult=0.5)


def self_reranked(store, question, reranker):
    retriever = MongoDBAtlasHybridSearchRetriever(vectorstore=store, search_index_name="text_index", k=9)
    found = retriever.invoke(question)
    scores = reranker.rerank([one.page_content for one in found])
    ranked = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
    return [one for _, one in ranked[:3]]


TASKS = {
    "hybrid": hybrid,
    "filtered": filtered,
    "parent document": parent_document,
    "unlike each other": unlike_each_other,
    "self-reranked": self_reranked,
}


def lines(function):
    """Lines of a function's body."""
    return len([line for line in inspect.getsource(function).splitlines()[1:] if line.strip()])


def main(uri):
    counter = Counter()
    found = {}
    with MongoClient(uri, event_listeners=[counter]) as client:
        store = MongoDBAtlasVectorSearch(
            client["rivals"]["notes"],
            Words(),
            index_name="vector_index",
            text_key="text",
            embedding_key="embedding",
            auto_create_index=False,
        )
        for name, task in TASKS.items():
            more = (Longest(),) if task is self_reranked else ()
            try:
                task(store, "keep the receipt", *more)
                counter.sent = 0
                result = task(store, "keep the receipt", *more)
            except (
                Exception
            ) as error:  # what it cannot do with documents that are there is part of the answer
                found[name] = {"lines": lines(task), "requests": None, "problem": type(error).__name__}
                continue
            if not all(isinstance(one, Document) for one in result):
                raise TypeError(name)
            found[name] = {"lines": lines(task), "requests": counter.sent}
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1])
