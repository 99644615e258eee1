"""French (Snowball)."""

from __future__ import annotations

import re

from atlas_rag.inprocess.search.analysis.stemmers.snowball.runtime import (
    Regions,
    past,
    r1_r2,
    suffixes,
    tables,
)

VOWELS = frozenset("aeiouyâàëéêèïîôûù")
V = "[aeiouyâàëéêèïîôûù]"
MARKS = (  # what is found, with the vowel before it; what it becomes
    (re.compile(f"({V})u(?={V})"), "U"),
    (re.compile(f"({V})i(?={V})"), "I"),
    (re.compile(f"({V})y"), "Y"),
    (re.compile("()ë"), "He"),
    (re.compile("()ï"), "Hi"),
    (re.compile(f"()y(?={V})"), "Y"),
    (re.compile("(q)u"), "U"),
)
UNMARKED = {"I": "i", "U": "u", "Y": "y", "He": "ë", "Hi": "ï", "H": ""}
UNMARK = re.compile("He|Hi|[IUYH]")
KEEPS_S = frozenset("aiouès")
AFTER_EMENT = suffixes("iv eus iqU abl Ièr ièr")
AFTER_ITE = suffixes("abil ic iv")
RESIDUAL = suffixes("ion ier ière Ier Ière e")
UNACCENTED = re.compile(f"[éè](?=[^{V[1:-1]}]+$)")


def stem(word: str) -> str:
    """The stem of a lower-case word."""
    word = _marked(word)
    regions = {**r1_r2(word, VOWELS), "rv": _rv(word)}
    word, removed = _suffix(word, regions)
    if removed:
        if word.endswith(("Y", "ç")):
            word = word[:-1] + ("i" if word.endswith("Y") else "c")
    else:
        word = _residual(word, regions)
    if word.endswith(("enn", "onn", "ett", "ell", "eill")):
        word = word[:-1]
    word = UNACCENTED.sub("e", word)
    return UNMARK.sub(lambda m: UNMARKED[m[0]], word)


def _marked(word: str) -> str:
    """Capitals for vowels that count as consonants, an H before a letter with diaeresis.

    Each place is tried anew after a change, so that the e of a fresh He counts as a vowel.
    """
    place = 0
    while place < len(word):
        for pattern, mark in MARKS:
            match = pattern.match(word, place)
            if match is not None:
                word = word[:place] + match[1] + mark + word[match.end() :]
                break
        else:
            place += 1
    return word


def _rv(word: str) -> int:
    if (len(word) > 2 and word[0] in VOWELS and word[1] in VOWELS) or word.startswith(("par", "col", "tap")):
        return 3
    place = past(word, 1, VOWELS)
    return len(word) if place is None else place


def _suffix(word: str, regions: Regions) -> tuple[str, bool]:
    """The word without a standard, i-verb or other verb suffix, and whether there was one."""
    changed, done = _standard(word, regions)
    if done:
        return changed, True
    rv = regions["rv"]
    match = tables("french")["i_verb"].ending(changed, rv)
    if match is not None:
        rest = match.cut(changed)
        if len(rest) > rv and rest[-1] not in VOWELS and rest[-1] != "H":
            return rest, True
    match = tables("french")["verb"].ending(changed, rv)
    if match is None or (match.region == "r2" and match.start(changed) < regions["r2"]):
        return changed, False
    rest = match.cut(changed)
    if match.action == "ant" and rest.endswith("e") and len(rest) > rv:
        return rest[:-1], True
    return rest, True


def _standard(word: str, regions: Regions) -> tuple[str, bool]:
    match = tables("french")["standard"].ending(word)
    if match is None or match.start(word) < regions.get(match.region, 0):
        return word, False
    rest = match.cut(word)
    r1, r2 = regions["r1"], regions["r2"]
    if match.action in ("amment", "emment"):
        return rest + match.action[0] + "nt", False
    if match.action == "ment":
        before_in_rv = len(rest) > regions["rv"] and rest[-1] in VOWELS
        return (rest if before_in_rv else word), False
    if match.action == "euse":
        if len(rest) >= r2:
            return rest, True
        return (rest + "eux", True) if len(rest) >= r1 else (word, False)
    if match.action == "issement":
        return (rest, True) if rest and rest[-1] not in VOWELS else (word, False)
    if match.action in AFTER:
        return AFTER[match.action](rest, regions), True
    return rest + match.action.strip("-"), True


def _after_ation(rest: str, regions: Regions) -> str:
    if not rest.endswith("ic"):
        return rest
    return rest[:-2] if len(rest) - 2 >= regions["r2"] else rest[:-2] + "iqU"


def _after_ement(rest: str, regions: Regions) -> str:
    match = AFTER_EMENT.ending(rest)
    if match is None:
        return rest
    shorter, start = match.cut(rest), match.start(rest)
    in_r2 = start >= regions["r2"]
    if match.suffix == "iv":
        return _without_at(shorter, regions) if in_r2 else rest
    if match.suffix == "eus":
        return shorter if in_r2 else shorter + "eux" if start >= regions["r1"] else rest
    if match.suffix in ("abl", "iqU"):
        return shorter if in_r2 else rest
    return shorter + "i" if start >= regions["rv"] else rest


def _after_ite(rest: str, regions: Regions) -> str:
    match = AFTER_ITE.ending(rest)
    if match is None:
        return rest
    if match.start(rest) >= regions["r2"]:
        return match.cut(rest)
    return {"abil": match.cut(rest, "abl"), "ic": match.cut(rest, "iqU"), "iv": rest}[match.suffix]


def _after_if(rest: str, regions: Regions) -> str:
    shorter = _without_at(rest, regions)
    return rest if shorter == rest else _after_ation(shorter, regions)


def _without_at(rest: str, regions: Regions) -> str:
    return rest[:-2] if rest.endswith("at") and len(rest) - 2 >= regions["r2"] else rest


AFTER = {"ation": _after_ation, "ement": _after_ement, "ité": _after_ite, "if": _after_if}


def _residual(word: str, regions: Regions) -> str:
    if word.endswith("s") and len(word) > 1 and (word[-2] not in KEEPS_S or word[-3:-1] == "Hi"):
        word = word[:-1]
    rv = regions["rv"]
    match = RESIDUAL.ending(word, rv)
    if match is None:
        return word
    rest = match.cut(word)
    if match.suffix == "ion":
        fits = match.start(word) >= regions["r2"] and len(rest) > rv and rest.endswith(("s", "t"))
        return rest if fits else word
    return rest if match.suffix == "e" else rest + "i"
