"""Stemmers, one language a file: a word in, its stem out."""
