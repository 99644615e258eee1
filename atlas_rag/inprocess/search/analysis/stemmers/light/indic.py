"""Hindi and Bengali light stemming: the longest ending that leaves enough of the word.

Source: A. Ramanathan, D. Rao, A lightweight stemmer for Hindi, 2003; P. Sengupta, B. Chaudhuri, Natural
language processing in an Indian language (Bengali), and J. Savoy's light Bengali stemmer.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import rules, strip_first

HINDI = rules("""
6 5 ाएंगी ाएंगे ाऊंगी ाऊंगा ाइयाँ ाइयों ाइयां
5 4 ाएगी ाएगा ाओगी ाओगे एंगी ेंगी एंगे ेंगे ूंगी ूंगा ातीं नाओं नाएं ताओं ताएं ियाँ ियों ियां
4 3 ाकर ाइए ाईं ाया ेगी ेगा ोगी ोगे ाने ाना ाते ाती ाता तीं ाओं ाएं ुओं ुएं ुआं
3 2 कर ाओ िए ाई ाए ने नी ना ते ीं ती ता ाँ ां ों ें
2 1 ो े ू ु ी ि ा
""")
BENGALI = rules("""
9 8 িয়াছিলাম িতেছিলাম িতেছিলেন ইতেছিলেন িয়াছিলেন ইয়াছিলেন
8 7 িতেছিলি িতেছিলে িয়াছিলা িয়াছিলে িতেছিলা িয়াছিলি য়েদেরকে
7 6 িতেছিস িতেছেন িয়াছিস িয়াছেন েছিলাম েছিলেন েদেরকে
6 5 িতেছি িতেছা িতেছে ছিলাম ছিলেন িয়াছি িয়াছা িয়াছে েছিলে েছিলা য়েদের দেরকে
5 4 িলাম িলেন িতাম িতেন িবেন ছিলি ছিলে ছিলা তেছে িতেছ খানা খানি গুলো গুলি য়েরা েদের
4 3 লাম িলি ইলি িলে ইলে লেন িলা ইলা তাম িতি ইতি িতে ইতে তেন িতা িবা ইবা িবি ইবি বেন িবে ইবে ছেন য়োন য়ের েরা দের
3 2 িস েন লি লে লা তি তে তা বি বে বা ছি ছা ছে ুন ুক টা টি নি ের রা কে
2 1 ি ী া ো ে ব ত
""")


def hindi_stem(word: str) -> str:
    """The stem of a normalized Hindi word."""
    return strip_first(word, HINDI)


def bengali_stem(word: str) -> str:
    """The stem of a normalized Bengali word."""
    return strip_first(word, BENGALI)
