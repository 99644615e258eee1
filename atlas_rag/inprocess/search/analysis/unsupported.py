"""Stock analyzers that are refused, and why: no approximation stands in for a dictionary."""

from __future__ import annotations

UNSUPPORTED = {
    "lucene.kuromoji": "it segments Japanese with the IPADIC dictionary and its connection costs",
    "lucene.nori": "it segments Korean with the mecab-ko dictionary and its connection costs",
    "lucene.smartcn": "it segments Chinese with a hidden Markov model over a bigram dictionary",
    "lucene.morfologik": "it looks Polish lemmas up in the Morfologik dictionary",
    "lucene.ukrainian": "it looks Ukrainian lemmas up in a Morfologik dictionary",
    "lucene.thai": "it breaks Thai with the dictionary of the Java runtime",
}
