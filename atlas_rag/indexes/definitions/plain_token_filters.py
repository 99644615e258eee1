"""Token filters without options: what happens to tokens, one after the other.

Source: MongoDB documentation, custom analyzers.
"""

from __future__ import annotations

from typing import Literal

from atlas_rag.indexes.definitions.part import Part


class EnglishMinimalStemming(Part):
    """Takes the plural endings of English away."""

    type: Literal["englishMinimalStemming"] = "englishMinimalStemming"


class EnglishPossessive(Part):
    """Takes a trailing `'s` away."""

    type: Literal["englishPossessive"] = "englishPossessive"


class FlattenGraph(Part):
    """Flattens a token graph, as needed after `WordDelimiterGraph` in an index."""

    type: Literal["flattenGraph"] = "flattenGraph"


class IcuFolding(Part):
    """Folds case, accents and more, by Unicode."""

    type: Literal["icuFolding"] = "icuFolding"


class KStemming(Part):
    """Stems English by rules and a dictionary (KStem)."""

    type: Literal["kStemming"] = "kStemming"


class KeywordRepeat(Part):
    """Repeats each token so that one copy stays unstemmed."""

    type: Literal["keywordRepeat"] = "keywordRepeat"


class Lowercase(Part):
    """Lower case, character by character."""

    type: Literal["lowercase"] = "lowercase"


class PorterStemming(Part):
    """Stems English by Porter's rules; wants lower case."""

    type: Literal["porterStemming"] = "porterStemming"


class RemoveDuplicates(Part):
    """Drops a token equal to one at the same position."""

    type: Literal["removeDuplicates"] = "removeDuplicates"


class Reverse(Part):
    """Turns each token round."""

    type: Literal["reverse"] = "reverse"


class SpanishPluralStemming(Part):
    """Takes the plural endings of Spanish away; wants lower case."""

    type: Literal["spanishPluralStemming"] = "spanishPluralStemming"


class Stempel(Part):
    """Stems Polish (Stempel); wants lower case."""

    type: Literal["stempel"] = "stempel"


class Trim(Part):
    """Takes white space off both ends."""

    type: Literal["trim"] = "trim"
