"""German light stemming, and the spelling of umlauts.

Source: J. Savoy, Light stemming approaches for the French, Portuguese, German and Hungarian languages, 2006;
the spelling rules are those of Snowball's german2.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.ordered import fold, rules, strip_first

ACCENTS = fold("äàáâ öòóô ïìíî üùúû", "aoiu")
CASE = rules("""
5 3 ern
4 2 em en er es
3 1 e
3 1 bs ds fs gs hs ks ls ms ns ts
""")
DEGREE = rules("""
5 3 est
4 2 er en
4 2 bst dst fst gst hst kst lst mst nst tst
""")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    return strip_first(strip_first(word.translate(ACCENTS), CASE), DEGREE)


def normalize(word: str) -> str:
    """ä, ae → a; ö, oe → o; ü, ue → u (not after a vowel or q); ß → ss."""
    out: list[str] = []
    state = "plain"  # "umlaut": an e that follows belongs to it; "vowel": a u that follows starts none
    for char in word:
        if char in "ao" or (char == "u" and state == "plain"):
            out.append(char)
            state = "umlaut"
        elif char == "e" and state == "umlaut":
            state = "vowel"
        elif char in "ueiqy":
            out.append(char)
            state = "vowel"
        elif char in "äöü":
            out.append(char.translate(ACCENTS))
            state = "vowel"
        else:
            out.append("ss" if char == "ß" else char)
            state = "plain"
    return "".join(out)
