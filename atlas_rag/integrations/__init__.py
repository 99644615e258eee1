"""Other people's frameworks: thin faces over a retriever, each behind an extra of its own.

langchain      AtlasRagRetriever, a BaseRetriever          pip install "atlas-rag[langchain]"
llama_index    AtlasRagRetriever, a BaseRetriever          pip install "atlas-rag[llama-index]"
fastapi        lifespan, dependency, exception handlers    pip install "atlas-rag[fastapi]"

Nothing is imported before the module that is asked for.
"""
