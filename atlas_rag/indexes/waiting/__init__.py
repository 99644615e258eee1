"""Waiting for what can be seen: indexes that answer, documents that are found."""
