"""Stemmers of the Snowball family: a word in, its stem out."""
