"""Twelve worked retrievals: each a function from a collection to a result, from the plain to the unusual.

    python -m examples.retrievals

All run on the in-process engine, and give the same hits and scores on servers 7.0 to 9.0.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from atlas_rag import (
    QUESTION,
    VECTOR,
    Collapse,
    Diversify,
    Filter,
    Fusion,
    HashingEmbedder,
    KeywordInput,
    LocalClient,
    MultiQuery,
    Neighbours,
    Recency,
    Result,
    Retriever,
    SearchInput,
    VectorInput,
)
from atlas_rag.stages import Phrase, StringFacet, Text, VectorSearchOperator

LONG, SHORT = HashingEmbedder(384), HashingEmbedder(64)
"""Two models for one collection; the first serves under a name for automated embedding as well."""
MODEL = "voyage-4"
NOTES = (
    ("refunds", 0, "Refunds take five days. Keep the receipt for a refund.", "money", 30),
    ("refunds", 1, "A refund goes to the card that paid.", "money", 30),
    ("refunds", 2, "Without a receipt we give a voucher.", "money", 30),
    ("returns", 0, "Returns are free within thirty days.", "orders", 2),
    ("returns", 1, "A returned parcel is refunded once it has arrived.", "orders", 2),
    ("parcels", 0, "Parcels leave Lisbon every morning.", "orders", 400),
    ("parcels", 1, "Track a parcel with the number in your mail.", "orders", 400),
    ("hours", 0, "The shop opens at nine and closes on holidays.", "shop", 90),
)
SYNONYMS = {"_id": 1, "mappingType": "equivalent", "synonyms": ["voucher", "coupon"]}


@dataclass
class Note:
    """What the typed retrieval gives."""

    id: str
    text: str
    topic: str


def open_shop(server_version: str = "9.0") -> Any:
    """The collection of all twelve, in process, with its indexes."""
    shop = LocalClient(server_version=server_version, models={MODEL: LONG})["shop"]
    shop["words"].insert_one(SYNONYMS)
    now = dt.datetime.now(dt.UTC)
    shop["notes"].insert_many(
        {
            "_id": f"{doc}-{chunk}",
            "doc": doc,
            "chunk": chunk,
            "text": text,
            "topic": topic,
            "at": now - dt.timedelta(days=age),
            "embedding": LONG.embed_query(text),
            "short": SHORT.embed_query(text),
        }
        for doc, chunk, text, topic, age in NOTES
    )
    for index in INDEXES:
        shop["notes"].create_search_index(index)
    return shop["notes"]


def _vector(path: str, dimensions: int) -> dict[str, Any]:
    return {"type": "vector", "path": path, "numDimensions": dimensions, "similarity": "cosine"}


TOPIC = {"type": "filter", "path": "topic"}
INDEXES: tuple[dict[str, Any], ...] = (
    {
        "name": "vector_index",
        "type": "vectorSearch",
        "definition": {"fields": [_vector("embedding", 384), _vector("short", 64), TOPIC]},
    },
    {
        "name": "auto_index",
        "type": "vectorSearch",
        "definition": {"fields": [{"type": "autoEmbed", "modality": "text", "path": "text", "model": MODEL}]},
    },
    {
        "name": "text_index",
        "definition": {
            "mappings": {
                "dynamic": False,
                "fields": {
                    "text": {"type": "string", "analyzer": "lucene.english"},
                    "topic": {"type": "token"},
                    "embedding": {"type": "vector", "numDimensions": 384, "similarity": "cosine"},
                },
            },
            "synonyms": [
                {"name": "shop_words", "analyzer": "lucene.english", "source": {"collection": "words"}}
            ],
        },
    },
)


def phrase_text_and_vector(notes: Any) -> Result:
    """Three input pipelines with weights: whoever has the very phrase is lifted."""
    phrase = SearchInput("phrase", operator=Phrase(query=QUESTION, path="text", slop=2))
    fusion = Fusion.rank({"phrase": 2.0, "keyword": 1.0, "vector": 1.0})
    inputs = [VectorInput(), KeywordInput(), phrase]
    return Retriever(notes, inputs=inputs, fusion=fusion, embedder=LONG).retrieve("keep the receipt")


def lexical_prefilter(notes: Any) -> Result:
    """The nearest vectors among the documents that hold a word: the filter acts before the search."""
    nearest = VectorSearchOperator(
        query_vector=VECTOR,
        path="embedding",
        limit=5,
        num_candidates=50,
        filter=Text(query="refund", path="text"),
    )
    inputs = [SearchInput("nearest", operator=nearest)]
    return Retriever(notes, inputs=inputs, embedder=LONG).retrieve("the money I paid", mode="vector")


def two_embedding_models(notes: Any) -> Result:
    """Vectors of two models side by side; ranks do not mind that their scores differ."""
    inputs = [VectorInput(), VectorInput(name="short", path="short", embedder=SHORT), KeywordInput()]
    return Retriever(notes, inputs=inputs, embedder=LONG).retrieve("free returns")


def automated_embedding(notes: Any) -> Result:
    """The deployment embeds the question itself: no embedder and no key here."""
    inputs = [VectorInput(index="auto_index", path="text", query=QUESTION), KeywordInput()]
    return Retriever(notes, inputs=inputs).retrieve("when does the shop open")


def recency(notes: Any) -> Result:
    """What is new is lifted, with a half-life of thirty days."""
    lift = Recency(path="at", half_life=30, weight=0.5)
    return Retriever(notes, embedder=LONG).retrieve("parcel", recency=lift)


def score_fusion(notes: Any) -> Result:
    """Scores in place of ranks: each squeezed to 0…1, the vector counted twice."""
    fusion = Fusion.score(normalization="sigmoid", combination={"vector": 2.0, "keyword": 1.0})
    return Retriever(notes, fusion=fusion, embedder=LONG).retrieve("refund to my card")


def collapse_with_neighbours(notes: Any) -> Result:
    """One chunk of each document, and what stands beside it."""
    return Retriever(notes, embedder=LONG).retrieve(
        "refund", collapse=Collapse(by="doc"), neighbours=Neighbours(by="doc", position="chunk"), limit=3
    )


def unlike_each_other(notes: Any) -> Result:
    """Maximal marginal relevance over the stored vectors, which stay on the server's side of the answer."""
    spread = Diversify(relevance=0.4, path="embedding")
    return Retriever(notes, embedder=LONG).retrieve("refund a returned parcel", diversify=spread, limit=3)


def facets_beside_hits(notes: Any) -> Result:
    """How many documents the words find, by topic, beside the hits of the hybrid search."""
    return Retriever(notes, embedder=LONG).retrieve(
        "refund parcel",
        filter=Filter.where_in("topic", ["money", "orders"]),
        facets={"topics": StringFacet(path="topic")},
        count="total",
    )


def synonyms(notes: Any) -> Result:
    """A coupon is a voucher."""
    inputs = [KeywordInput(synonyms="shop_words"), VectorInput()]
    return Retriever(notes, inputs=inputs, embedder=LONG).retrieve("coupon", mode="keyword")


def several_wordings(notes: Any) -> Result:
    """A question in several wordings, fused by the same arithmetic; a language model would write them."""
    multi_query = MultiQuery(lambda question: ["refund without a receipt", "voucher"])
    asked = Retriever(notes, embedder=LONG, multi_query=multi_query)
    return asked.retrieve("I lost the slip, do I get anything back?")


def typed_documents(notes: Any) -> Result:
    """Documents as objects of a class of your own, and only the fields that it needs."""
    asked = Retriever(notes, embedder=LONG, document=Note)
    return asked.retrieve("opening hours", projection=["text", "topic"])


WORKED: tuple[Callable[[Any], Result], ...] = (
    phrase_text_and_vector,
    lexical_prefilter,
    two_embedding_models,
    automated_embedding,
    recency,
    score_fusion,
    collapse_with_neighbours,
    unlike_each_other,
    facets_beside_hits,
    synonyms,
    several_wordings,
    typed_documents,
)


def main() -> None:
    """Runs all of them."""
    notes = open_shop()
    for worked in WORKED:
        result = worked(notes)
        print(f"{worked.__name__}: {(worked.__doc__ or '').splitlines()[0]}")
        print(f"    {', '.join(str(hit.id) for hit in result)}  ({result.evidence.route})")


if __name__ == "__main__":
    main()
