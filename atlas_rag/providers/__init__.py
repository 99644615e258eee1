"""Services over the network: limits, retries, usage, what embedders and rerankers share."""

from atlas_rag.providers.usage import Usage, metered

__all__ = ["Usage", "metered"]
