"""Spelling of the scripts of India, Hindi and Bengali.

Source: Unicode 5.2 chapter 9 and ldc.upenn.edu/myl/IndianScriptsUnicode.html (compositions); P. Pingali,
V. Varma, Word normalization in Indian languages, and L. Larkey et al., Hindi CLIR in thirty days (Hindi);
N. UzZaman, M. Khan, A double metaphone encoding for Bangla (Bengali).
"""

from __future__ import annotations

from functools import cache

SCRIPTS = dict(zip("dbpgotlkm", range(0x0900, 0x0D80, 0x80), strict=True))
"""First code point of Devanagari, Bengali, Gurmukhi, Gujarati, Oriya, Tamil, Telugu, Kannada, Malayalam."""

ZWJ = "\u200d"
COMPOSITIONS = """
05+3E+45=11 dg, 05+3E+46=12 d, 05+3E+47=13 dg, 05+3E+48=14 dg, 05+3E=06 dbpgo, 05+45=72 d, 05+45=0D g,
05+46=04 d, 05+47=0F g, 05+48=10 pg, 05+49=11 dg, 05+4A=12 d, 05+4B=13 dg, 05+4C=14 dpg, 06+45=11 dg,
06+46=12 d, 06+47=13 dg, 06+48=14 dg, 07+57=08 m, 09+41=0A d, 09+57=0A tm, 0E+46=10 m, 0F+45=0D d, 0F+46=0E
d, 0F+47=10 d, 0F+57=10 o, 12+3E=13 m, 12+4C=14 lk, 12+55=13 l, 12+57=14 tm, 13+57=14 o, 15+3C=58 d,
16+3C=59 dp, 17+3C=5A dp, 1C+3C=5B dp, 21+3C=5C dbo, 22+3C=5D dbo, 23+4D+J=7A m, 24+4D+J=4E b, 28+3C=29 d,
28+4D+J=7B m, 2B+3C=5E dp, 2F+3C=5F db, 2C+41+41=0B l, 30+3C=31 d, 30+4D+J=7C m, 32+4D+J=7D m, 33+3C=34 d,
33+4D+J=7E m, 35+41=2E l, 3E+45=49 dg, 3E+46=4A d, 3E+47=4B dg, 3E+48=4C dg, 3F+55=40 k, 41+41=42 p,
46+3E=4A tm, 46+42+55=4B k, 46+42=4A k, 46+46=48 m, 46+55=47 lk, 46+56=48 lk, 46+57=4C tm, 47+3E=4B botm,
47+57=4C bo, 4A+55=4B k, 72+3F=07 p, 72+40=08 p, 72+47=0F p, 73+41=09 p, 73+42=0A p, 73+4B=13 p
"""
"""Offsets in a script's block (J: the zero-width joiner), what they compose to, and in which scripts."""


@cache
def _compositions() -> dict[str, list[tuple[str, str]]]:
    """For a first character: what may follow it and the composed letter, in order of preference."""
    table: dict[str, list[tuple[str, str]]] = {}
    for entry in COMPOSITIONS.replace("\n", " ").split(","):
        sequence, scripts = entry.split()
        parts, _, result = sequence.partition("=")
        for script in scripts:
            base = SCRIPTS[script]
            chars = [ZWJ if part == "J" else chr(base + int(part, 16)) for part in parts.split("+")]
            table.setdefault(chars[0], []).append(("".join(chars[1:]), chr(base + int(result, 16))))
    return table


def indic(term: str) -> str:
    """Composed letters for their typed sequences."""
    table = _compositions()
    out: list[str] = []
    place = 0
    while place < len(term):
        char = term[place]
        place += 1
        for rest, composed in table.get(char, ()):
            if term.startswith(rest, place):
                char = composed
                place += len(rest)
                break
        out.append(char)
    return "".join(out)


HINDI = {ord(a): b for a, b in zip(
    "\u0901\u0929\u0931\u0934\u0958\u0959\u095a\u095b\u095c\u095d\u095e\u095f\u0945\u0946\u0949\u094a\u090d\u090e"
    "\u0911\u0912\u0972\u0906\u0908\u090a\u0960\u0961\u0910\u0914\u0940\u0942\u0944\u0963\u0948\u094c",
    "\u0902\u0928\u0930\u0933\u0915\u0916\u0917\u091c\u0921\u0922\u092b\u092f\u0947\u0947\u094b\u094b\u090f\u090f"
    "\u0913\u0913\u0905\u0905\u0907\u0909\u090b\u090c\u090f\u0913\u093f\u0941\u0943\u0962\u0947\u094b",
    strict=True,
)} | {0x093C: "", 0x200D: "", 0x200C: "", 0x094D: ""}  # fmt: skip


def hindi(term: str) -> str:
    """Short vowels for long ones, no nukta, no virama, bindu for every nasal sign."""
    return term.replace("\u0928\u094d", "\u0902").translate(HINDI)


BENGALI = {
    0x0981: "", 0x09C0: "\u09bf", 0x09C2: "\u09c1", 0x0999: "\u0982", 0x09B6: "\u09b8", 0x09B7: "\u09b8",
    0x09A3: "\u09a8", 0x09DC: "\u09b0", 0x09DD: "\u09b0", 0x09CE: "\u09a4",
}  # fmt: skip
HASANTA = "\u09cd"


def bengali(term: str) -> str:
    """Sounds alike written alike: vowel lengths, sibilants, nasals, and the silent second consonants."""
    chars = list(term)
    place = 0
    while place < len(chars):
        char = chars[place]
        if char in BENGALI_SPECIAL:
            place = BENGALI_SPECIAL[char](chars, place)
        elif (changed := BENGALI.get(ord(char))) is not None:
            chars[place : place + 1] = changed
            place += len(changed)
        else:
            place += 1
    return "".join(chars)


def _khio(chars: list[str], place: int) -> int:
    """Ka, hasanta, i: kha instead."""
    if chars[place + 1 : place + 3] == [HASANTA, "\u09bf"]:
        if place == 0:
            chars[0:3] = ["\u0996"]
        else:
            chars[place + 1 : place + 3] = ["\u0996"]
    return place + 1


def _ja_phala(chars: list[str], place: int) -> int:
    """Hasanta and ya: an e after the first letter of a word, else nothing."""
    if place == 0 or chars[place - 1] != HASANTA:
        return place + 1
    if place == 2:
        chars[1] = "\u09c7"
        del chars[place : place + 2 if chars[place + 1 : place + 2] == ["\u09be"] else place + 1]
        return place
    del chars[place - 1 : place + 1]
    return place - 1


def _ba_phala(chars: list[str], place: int) -> int:
    """Hasanta and ba: nothing at the start of a word, else the letter before is doubled."""
    if place == 0 or chars[place - 1] != HASANTA:
        return place + 1
    if place == 2 or (place >= 5 and chars[place - 3] == HASANTA):
        del chars[place - 1 : place + 1]
        return place - 1
    if place >= 2:
        chars[place - 1] = chars[place - 2]
        del chars[place]
        return place
    return place + 1


def _visarga(chars: list[str], place: int) -> int:
    """H at the end of a short word, nothing at the end of a long one, else the letter after it."""
    if place < len(chars) - 1:
        chars[place] = chars[place + 1]
    elif len(chars) <= 3:
        chars[place] = "\u09b9"
    else:
        del chars[place]
    return place + 1


BENGALI_SPECIAL = {"\u0995": _khio, "\u09af": _ja_phala, "\u09ac": _ba_phala, "\u0983": _visarga}
