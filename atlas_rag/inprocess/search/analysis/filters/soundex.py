"""Daitch-Mokotoff soundex: six digits for how a name sounds, several codes where it is ambiguous.

Source: the coding chart at jewishgen.org/infofiles/soundex.html, with the Romanian and Polish letters and the
folding of accents of its well-known implementations.
"""

from __future__ import annotations

from functools import cache

from atlas_rag.inprocess.search.analysis.token import StreamFilter, Token, Tokens

LENGTH = 6
VOWELS = frozenset("aeiou")
CHART = """
0 - -: a e i o u
7 7 7: b f p v w fb pf ph
3 3 3: d t dt th
5 5 5: g k q kh
5 5 -: h
8 8 8: l
6 6 6: m n
9 9 9: r
4 4 4: s z ttsch ttch tsch ttsz zsch csz czs drz drs dsh dsz dzh dzs sch tch trz trs tsh tts ttz tzs tsz zsh
4 4 4: cz cs ds dz sh sz ts tc tz zh zs
5 54 54: x chs ks
1 - -: y ia ie io iu
3|4 3|4 3|4: ţ ț
- - |6: ę ą
2 4 4: schtsch schtsh schtch shtch shtsh stsch zhdzh shch stch strz strs stsh szcz szcs zdzh zdz sc
2 43 43: scht schd sht szt shd szd zhd st sd zd
0 1 -: ai aj ay ei ej ey oi oj oy ui uj uy ue
0 7 -: au
1 1 -: eu
66 66 66: mn nm
4|5 4|5 4|5: c ch
5|45 5|45 5|45: ck
4|94 4|94 4|94: rs rz
1|4 |4 |4: j
"""
"""Codes at the start of a name, before a vowel, elsewhere; `|` separates alternatives, `-` is no code."""

FOLDED = str.maketrans("ßàáâãäåæçèéêëìíîïðñòóôõöøùúûýþÿćłśżź", "saaaaaaaceeeeiiiidnoooooouuuybyclszz")

Codes = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]


@cache
def _chart() -> dict[str, Codes]:
    chart: dict[str, Codes] = {}
    for line in CHART.strip().splitlines():
        codes, _, sounds = line.partition(":")
        start, vowel, other = (tuple(code.replace("-", "").split("|")) for code in codes.split())
        chart.update(dict.fromkeys(sounds.split(), (start, vowel, other)))
    return chart


def soundex(name: str) -> list[str]:
    """The codes of a name, in order; all zeros if nothing in it has a sound."""
    letters = "".join(name.split()).lower().translate(FOLDED).replace("'", "")
    branches: dict[tuple[str, str | None], None] = {("", None): None}  # code so far, last code
    place, before = 0, ""
    while place < len(letters):
        sound = next(
            (letters[place : place + n] for n in range(7, 0, -1) if letters[place : place + n] in _chart()),
            "",
        )
        if not sound:
            place += 1
            continue
        behind = letters[place + len(sound) : place + len(sound) + 1]
        start, vowel, other = _chart()[sound]
        codes = start if not before else vowel if behind in VOWELS and behind else other
        forced = before + sound[0] in ("mn", "nm")
        branches = _branched(branches, codes, forced)
        before = sound[0]
        place += len(sound)
    return list(dict.fromkeys(code.ljust(LENGTH, "0") for code, _ in branches))


def _branched(
    branches: dict[tuple[str, str | None], None], codes: tuple[str, ...], forced: bool
) -> dict[tuple[str, str | None], None]:
    """Every branch goes on with every code; a code that repeats the last one is not written again."""
    grown: dict[str, str] = {}
    for written, last in branches:
        for code in codes:
            repeats = last is not None and last.endswith(code) and not forced
            grown.setdefault(written if repeats else (written + code)[:LENGTH], code)
    return dict.fromkeys(grown.items())


def soundex_filter(*, keep_original: bool) -> StreamFilter:
    """Replaces each term by its codes, all on one position; or adds them behind it."""

    def apply(tokens: Tokens) -> Tokens:
        out: list[Token] = []
        for token in tokens:
            terms = [token.term] if keep_original else []
            terms += soundex(token.term)
            out.append(token._replace(term=terms[0]))
            out += [token._replace(term=term, increment=0) for term in terms[1:]]
        return tokens.then(out)

    return apply
