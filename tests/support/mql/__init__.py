"""Random documents, filters, expressions and pipelines, run here and on a real server."""
