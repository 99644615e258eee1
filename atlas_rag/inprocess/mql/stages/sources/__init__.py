"""Stages that begin a pipeline with rows of their own, other than those of a search index."""
