"""Stemmers of the Snowball family: a word in, its stem out."""

from __future__ import annotations

from collections.abc import Callable

from atlas_rag.inprocess.search.analysis.stemmers.snowball import (
    arabic,
    armenian,
    basque,
    catalan,
    dutch,
    english,
    estonian,
    finnish,
    french,
    german,
    hungarian,
    irish,
    italian,
    lithuanian,
    portuguese,
    romanian,
    russian,
    scandinavian,
    spanish,
    turkish,
)

STEMMERS: dict[str, Callable[[str], str]] = {
    "arabic": arabic.stem,
    "armenian": armenian.stem,
    "basque": basque.stem,
    "catalan": catalan.stem,
    "danish": scandinavian.danish_stem,
    "dutch": dutch.stem,
    "english": english.stem,
    "estonian": estonian.stem,
    "finnish": finnish.stem,
    "french": french.stem,
    "german": german.stem,
    "german2": german.stem,
    "hungarian": hungarian.stem,
    "irish": irish.stem,
    "italian": italian.stem,
    "lithuanian": lithuanian.stem,
    "norwegian": scandinavian.norwegian_stem,
    "porter": english.porter_stem,
    "portuguese": portuguese.stem,
    "romanian": romanian.stem,
    "russian": russian.stem,
    "spanish": spanish.stem,
    "swedish": scandinavian.swedish_stem,
    "turkish": turkish.stem,
}
"""By the names of the `snowballStemming` token filter."""
