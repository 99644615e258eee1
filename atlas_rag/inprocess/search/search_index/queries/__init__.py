"""Queries over one partition, with Lucene's rewriting, arithmetic and explanations."""
