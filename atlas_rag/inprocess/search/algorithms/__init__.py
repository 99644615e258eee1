"""Pure functions of the search engine: no index, no document store inside.

patterns/       regular expressions and wildcards over terms
query_string/   the classic query syntax, from text to a tree
synonyms/       texts with synonyms
geo/            points and shapes on the globe
levenshtein.py  terms within two edits        spans.py       stretches of positions, combined
highlight.py    the best passages             sentences.py   where sentences begin
murmur3.py      document → partition          more_like_this.py, java_order.py
"""
