"""Char filters: they rewrite the text before it is tokenized, and know where each character came from."""
