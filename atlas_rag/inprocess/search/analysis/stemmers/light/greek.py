"""Greek stemming.

Source: G. Ntais, Development of a stemmer for the Greek language, 2006, for words folded to lower case
without accents and without final sigma.
"""

from __future__ import annotations

from typing import NamedTuple

from atlas_rag.inprocess.search.analysis.stemmers.ordered import Rule, first, rules, strip_first

VOWELS = "αεηιουω"

WHOLE_WORDS = rules("""
9 4 καθεστωτοσ καθεστωτων
8 4 γεγονοτοσ γεγονοτων
8 3 καθεστωτα
7 4 τατογιου τατογιων
7 3 γεγονοτα
7 2 καθεστωσ
6 4 σκαγιου σκαγιων ολογιου ολογιων κρεατοσ κρεατων περατοσ περατων τερατοσ τερατων
6 3 τατογια
6 2 γεγονοσ
5 4 φαγιου φαγιων σογιου σογιων
5 3 σκαγια ολογια κρεατα περατα τερατα
4 3 φαγια σογια φωτοσ φωτων
4 2 κρεασ περασ τερασ
3 2 φωτα
2 1 φωσ
""")


class Ending(NamedTuple):
    """An ending that goes, and the stems after which a part of it comes back.

    Args:
        back: what comes back.
        whole: after exactly these stems.
        tails: after stems that end so.
        never_whole: nor after exactly these, whatever the tails say.
        never_tails: nor after stems that end so.
    """

    endings: tuple[Rule, ...]
    back: str
    whole: str = ""
    tails: str = ""
    never_whole: str = ""
    never_tails: str = ""

    def apply(self, word: str) -> str:
        rule = first(word, self.endings)
        if rule is None:
            return word
        stem = word[: len(word) - rule.cut]
        returns = _is_one_of(stem, self.whole, self.tails)
        return (
            stem if not returns or _is_one_of(stem, self.never_whole, self.never_tails) else stem + self.back
        )


def _is_one_of(stem: str, whole: str, tails: str) -> bool:
    return stem in whole.split() or stem.endswith(tuple(tails.split()))


VOWEL_TAILS = " ".join(VOWELS)
NO_Y_TAILS = VOWEL_TAILS.replace("υ ", "")

ADES = rules("4 4 αδεσ αδων")
ADES_STAYS_AWAY = ("οκ", "μαμ", "μαν", "μπαμπ", "πατερ", "γιαγι", "νταντ", "κυρ", "θει", "πεθερ")
IA = rules("""
2 2 ια
3 3 ιου ιων
""")
IKO = rules("""
3 3 ικα ικο
4 4 ικου ικων
""")

FIRST_PART = (
    Ending(rules("4 4 εδεσ εδων"), "εδ", tails="οπ ιπ εμπ υπ γηπ δαπ κρασπ μιλ"),
    Ending(
        rules("5 5 ουδεσ ουδων"), "ουδ", tails="αρκ καλιακ πεταλ λιχ πλεξ σκ σ φλ φρ βελ λουλ χν σπ τραγ φε"
    ),
    Ending(rules("3 3 εωσ εων"), "ε", whole="θ δ ελ γαλ ν π ιδ παρ"),
    Ending(IA, "ι", tails=VOWEL_TAILS),
    Ending(
        IKO,
        "ικ",
        "αλ αδ ενδ αμαν αμμοχαλ ηθ ανηθ αντιδ φυσ βρωμ γερ εξωδ καλπ καλλιν καταδ μουλ μπαν μπαγιατ μπολ "
        "μποσ νιτ ξικ συνομηλ πετσ πιτσ πικαντ πλιατσ ποστελν πρωτοδ σερτ συναδ τσαμ υποδ φιλον φυλοδ χασ",
        VOWEL_TAILS,
    ),
)
AME = rules("""
7 7 ηθηκαμε
6 6 ουσαμε
5 5 αγαμε ησαμε ηκαμε
""")
AME_SHORT = Ending(rules("3 3 αμε"), "αμ", "αναπ αποθ αποκ αποστ βουβ ξεθ ουλ πεθ πικρ ποτ σιχ χ")
ANE = Ending(
    rules("""
8 8 ιουντανε
7 7 ιοντανε
0 7 ουντανε ηθηκανε
6 6 ιοτανε
0 6 οντανε ουσανε
5 5 αγανε
0 5 ησανε οτανε ηκανε
"""),
    "αγαν",
    "τρ τσ",
)
ANE_SHORT = Ending(
    rules("3 3 ανε"),
    "αν",
    "βετερ βουλκ βραχμ γ δραδουμ θ καλπουζ καστελ κορμορ λαοπλ μωαμεθ μ μουσουλμ ν ουλ π πελεκ πλ πολισ "
    "πορτολ σαρακατσ σουλτ τσαρλατ ορφ τσιγγ τσοπ φωτοστεφ χ ψυχοπλ αγ γαλ γερ δεκ διπλ αμερικαν ουρ πιθ "
    "πουριτ σ ζωντ ικ καστ κοπ λιχ λουθηρ μαιντ μελ σιγ σπ στεγ τραγ τσαγ φ ερ αδαπ αθιγγ αμηχ ανικ ανοργ "
    "απηγ απιθ ατσιγγ βασ βασκ βαθυγαλ βιομηχ βραχυκ διατ διαφ ενοργ θυσ καπνοβιομηχ καταγαλ κλιβ κοιλαρφ "
    "λιβ μεγλοβιομηχ μικροβιομηχ νταβ ξηροκλιβ ολιγοδαμ ολογαλ πενταρφ περηφ περιτρ πλατ πολυδαπ πολυμηχ "
    "στεφ ταβ τετ υπερηφ υποκοπ χαμηλοδαπ ψηλοταβ",
    NO_Y_TAILS,
)
ETE = Ending(
    rules("3 3 ετε"),
    "ετ",
    "αβαρ βεν εναρ αβρ αδ αθ αν απλ βαρον ντρ σκ κοπ μπορ νιφ παγ παρακαλ σερπ σκελ συρφ τοκ υ δ εμ θαρρ θ",
    NO_Y_TAILS
    + " οδ αιρ φορ ταθ διαθ σχ ενδ ευρ τιθ υπερθ ραθ ενθ ροθ σθ πυρ αιν συνδ συν συνθ χωρ πον βρ καθ "
    "ευθ εκθ νετ ρον αρκ βαρ βολ ωφελ",
)
LAST_PART = (
    Ending(rules("5 5 ιεστε"), "ιεστ", "π απ συμπ ασυμπ ακαταπ αμεταμφ"),
    Ending(rules("4 4 εστε"), "εστ", "αλ αρ εκτελ ζ μ ξ παρακαλ προ νισ"),
    Ending(rules("6 6 ηθηκεσ\n5 5 ηθηκα ηθηκε"), ""),
    Ending(rules("4 4 ηκεσ\n3 3 ηκα ηκε"), "ηκ", "διαθ θ παρακαταθ προσθ συνθ", "σκωλ σκουλ ναρθ σφ οθ πιθ"),
    Ending(
        rules("5 5 ουσεσ\n4 4 ουσα ουσε"),
        "ουσ",
        "φαρμακ χαδ αγκ αναρρ βρομ εκλιπ λαμπιδ λεχ μ πατ ρ λ μεδ μεσαζ υποτειν αμ αιθ ανηκ δεσποζ ενδιαφερ "
        "δε δευτερευ καθαρευ πλε τσα",
        VOWEL_TAILS + " ποδαρ βλεπ πανταχ φρυδ μαντιλ μαλλ κυματ λαχ ληγ φαγ ομ πρωτ",
    ),
    Ending(
        rules("4 4 αγεσ\n3 3 αγα αγε"),
        "αγ",
        "αβαστ πολυφ αδηφ παμφ ρ ασπ αφ αμαλ αμαλλι ανυστ απερ ασπαρ αχαρ δερβεν δροσοπ ξεφ νεοπ νομοτ ολοπ "
        "ομοτ προστ προσωποπ συμπ συντ τ υποτ χαρ αειπ αιμοστ ανυπ αποτ αρτιπ διατ εν επιτ κροκαλοπ σιδηροπ "
        "λ ναυ ουλαμ ουρ π τρ μ",
        "οφ πελ χορτ λλ σφ ρπ φρ πρ λοχ σμην",
        never_whole="ψοφ ναυλοχ",
        never_tails="κολλ",
    ),
    Ending(rules("4 4 ησου\n3 3 ησε ησα"), "ησ", "ν χερσον δωδεκαν ερημον μεγαλον επταν"),
    Ending(rules("4 4 ηστε"), "ηστ", "ασβ σβ αχρ χρ απλ αειμν δυσχρ ευχρ κοινοχρ παλιμψ"),
    Ending(rules("6 6 ησουνε ηθουνε\n4 4 ουνε"), "ουν", "ν ρ σπι στραβομουτσ κακομουτσ εξων"),
    Ending(rules("6 6 ησουμε ηθουμε\n4 4 ουμε"), "ουμ", "παρασουσ φ χ ωριοπλ αζ αλλοσουσ ασουσ"),
    Ending(rules("5 3 ματων ματοσ\n4 2 ματα"), ""),
)
LONG_LIST = rules("""
9 9 ιοντουσαν
8 8 ιομασταν ιοσασταν ιουμαστε οντουσαν
7 7 ιεμαστε ιεσαστε ιομουνα ιοσαστε ιοσουνα ιουνται ιουνταν ηθηκατε ομασταν οσασταν ουμαστε
6 6 ιομουν ιονταν ιοσουν ηθειτε ηθηκαν ομουνα οσαστε οσουνα ουνται ουνταν ουσατε
5 5 αγατε ιεμαι ιεται ιεσαι ιοταν ιουμα ηθεισ ηθουν ηκατε ησατε ησουν ομουν ονται ονταν οσουν ουμαι ουσαν
4 4 αγαν αμαι ασαι αται ειτε εσαι εται ηδεσ ηδων ηθει ηκαν ησαν ησει ησεσ ομαι οταν
3 3 αει εισ ηθω ησω ουν ουσ
2 2 αν ασ αω ει εσ ησ οι οσ ου υσ ων
1 1 α ε η ι ο υ ω
""")
DEGREE = rules("""
0 5 εστερ εστατ
0 4 οτερ οτατ υτερ υτατ ωτερ ωτατ
""")


def stem(word: str) -> str:
    """The stem of a folded word; words under four letters stay."""
    if len(word) < 4:
        return word
    short = _nominal(word)
    short = _plural_verb(short)
    short = _participle(short)
    for ending in LAST_PART:
        short = ending.apply(short)
    # the long list is for words that no rule has shortened
    if len(short) == len(word):
        short = strip_first(short, LONG_LIST)
    return strip_first(short, DEGREE)


def _nominal(word: str) -> str:
    word = strip_first(word, WHOLE_WORDS)
    if (rule := first(word, ADES)) is not None:
        stem = word[: -rule.cut]
        word = stem if stem.endswith(ADES_STAYS_AWAY) else stem + "αδ"
    for ending in FIRST_PART:
        word = ending.apply(word)
    return word


def _plural_verb(word: str) -> str:
    """Endings in -αμε, -ανε and -ετε."""
    if word == "αγαμε":
        word = "αγαμ"
    else:
        word = AME_SHORT.apply(strip_first(word, AME))
    word = ANE_SHORT.apply(ANE.apply(word))
    if len(word) > 5:
        word = word.removesuffix("ησετε")
    return ETE.apply(word)


def _participle(word: str) -> str:
    """Endings in -οντασ and -ομαστε."""
    if len(word) > 5 and word.endswith(("οντασ", "ωντασ")):
        word = word[:-5]
        if word == "αρχ":
            word += "οντ"
        if word.endswith("κρε"):
            word += "ωντ"
    if len(word) > 6 and word.endswith("ομαστε"):
        # only the shorter ending is ever seen: the longer one ends in it
        word = word[:-6]
        if word == "ον":
            word += "ομαστ"
    return word
