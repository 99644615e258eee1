"""Services over the network: retries, and what embedders and rerankers of one provider share."""
