"""Stock analyzers that are refused, why, and what to use instead: nothing approximates a dictionary.

Python packages with dictionaries for these languages exist, but none is known to carry the same ones with the
same costs: tokens, and so hits and scores, would differ from the engine's without a word.
"""

from __future__ import annotations

_BIGRAMS = "use lucene.cjk, which needs none"

UNSUPPORTED = {
    "lucene.kuromoji": f"it segments Japanese with the IPADIC dictionary and its costs; {_BIGRAMS}",
    "lucene.nori": f"it segments Korean with the mecab-ko dictionary and its costs; {_BIGRAMS}",
    "lucene.smartcn": f"it segments Chinese with a Markov model over a bigram dictionary; {_BIGRAMS}",
    "lucene.morfologik": "it looks Polish lemmas up in the Morfologik dictionary; use lucene.polish",
    "lucene.ukrainian": "it looks Ukrainian lemmas up in a Morfologik dictionary; use lucene.standard",
    "lucene.thai": "it breaks Thai with the dictionary of the Java runtime; use a custom analyzer with nGram",
}
