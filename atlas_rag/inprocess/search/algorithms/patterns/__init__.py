"""Patterns over whole terms: regular expressions and wildcards, matched in linear time."""
