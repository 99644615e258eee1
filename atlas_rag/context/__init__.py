"""Hits to a prompt block: budget, formatter, citations."""
