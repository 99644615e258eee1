"""A LangChain chain over the demo's handbook: retrieve, number the sources, write a prompt.

    python examples/langchain_chain.py "my tyre is flat"

The last step is yours: `chain | model`.
"""

from __future__ import annotations

import sys

from langchain_core.documents import Document
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnablePassthrough, RunnableSerializable

from atlas_rag import LocalClient, Retriever
from atlas_rag.demo import RECIPE, HandbookEmbedder, prepare
from atlas_rag.integrations.langchain import AtlasRagRetriever
from atlas_rag.recipes import read_recipe

PROMPT = ChatPromptTemplate.from_messages(
    [("system", "Answer from the sources and cite them by number."), ("user", "{sources}\n\n{question}")]
)


def numbered(documents: list[Document]) -> str:
    """The sources, each with its number and where it stood in both input pipelines."""
    return "\n".join(
        f"[{number}] {one.metadata['title']}: {one.page_content} (ranks: {one.metadata['ranks']})"
        for number, one in enumerate(documents, start=1)
    )


def make_chain() -> RunnableSerializable[str, object]:
    """Question to prompt."""
    embedder = HandbookEmbedder()
    collection = LocalClient()["shop"]["handbook"]
    prepare(collection, embedder)
    ours = Retriever(
        collection,
        inputs=read_recipe(RECIPE).inputs,
        embedder=embedder,
        store_filter={"audience": "customers"},
    )
    retriever = AtlasRagRetriever(retriever=ours, options={"limit": 3})
    return {"sources": retriever | numbered, "question": RunnablePassthrough()} | PROMPT


if __name__ == "__main__":
    print(make_chain().invoke(" ".join(sys.argv[1:]) or "my tyre is flat").to_string())
