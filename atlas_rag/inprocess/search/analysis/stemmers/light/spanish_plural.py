"""Spanish plurals only.

Source: the rules of wikilengua.org, Plural (formación), as the engine's documentation refers to them.
"""

from __future__ import annotations

from atlas_rag.inprocess.search.analysis.stemmers.light.romance import ACCENTS

VOWELS = frozenset("aeiou")
INVARIANT = frozenset(
    """abrebotellas abrecartas abrelatas afueras albatros albricias aledaños alexis aries alicates analisis
    andurriales antitesis añicos apendicitis apocalipsis arcoiris bilis boletus boris brindis cactus canutas
    caries cascanueces cascarrabias ciempies cifosis cortaplumas corpus cosmos cosquillas creces crisis
    cuatrocientas cuatrocientos cuelgacapas cuentacuentos cuentapasos cumpleaños doscientas doscientos dosis
    enseres entonces esponsales estatus exequias fauces forceps fotosintesis gafas gafotas gargaras gris
    honorarios ictus jueves lapsus lavacoches lavaplatos limpiabotas lunes maitines martes mondadientes
    novecientas novecientos nupcias ochocientas ochocientos pais paris parabrisas paracaidas parachoques
    paraguas pararrayos pisapapeles piscis portaaviones portamaletas portamantas quinientas quinientos
    quitamanchas recogepelotas rictus rompeolas sacacorchos sacapuntas saltamontes salvavidas seis
    seiscientas seiscientos setecientas setecientos sintesis tenis tifus trabalenguas vacaciones venus versus
    viacrucis virus viveres volandas""".split()
)
IN_ES = frozenset(
    """yoes noes sies clubes faralaes albalaes itemes albumes sandwiches relojes bojes contrarreloj
    carcajes""".split()
)


def stem(word: str) -> str:
    """The singular of a word; words under four letters stay, accents go."""
    if len(word) < 4:
        return word
    word = word.translate(ACCENTS)
    lowered = word.lower()
    if lowered in INVARIANT:
        return word
    if lowered in IN_ES:
        return word[:-2]
    return _singular(word) if word.endswith("s") else word


def _singular(word: str) -> str:
    fourth, third, second = word[-4], word[-3], word[-2]
    if second not in VOWELS or fourth == "q" or (fourth == "g" and third == "u" and second in "ie"):
        return word[:-1]
    if second == "e":
        after_vowel = fourth in VOWELS and third in "rdlnx"
        accented_i = fourth in "ulrtn" and third == "i"
        if after_vowel or accented_i or third in "yus":
            return word[:-2]
        return word[:-3] + "z" if third == "c" else word[:-1]
    if second == "i" and (third in VOWELS or third == "d"):
        return word[:-2] + "y"
    return word[:-1]
