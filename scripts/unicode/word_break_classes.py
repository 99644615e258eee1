"""Write the tokenizer's table of word-break classes from files of the Unicode Character Database.

    python scripts/unicode/word_break_classes.py UCD_FOLDER --dry-run
    python scripts/unicode/word_break_classes.py UCD_FOLDER

The folder holds WordBreakProperty.txt, Scripts.txt, LineBreak.txt, emoji-data.txt and
DerivedGeneralCategory.txt of one version; the engine is at 12.1. Where properties overlap, the last
rule below wins.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

OUTPUT = Path(__file__).resolve().parents[2] / "atlas_rag/inprocess/search/analysis/data/word_break.txt"
LINE = re.compile(r"([0-9A-F]+)(?:\.\.([0-9A-F]+))?\s*;\s*(\w+)")


class Database:
    """Properties by file: value → code points."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._files: dict[str, dict[str, set[int]]] = {}

    def __call__(self, file: str, value: str) -> set[int]:
        if file not in self._files:
            values: dict[str, set[int]] = {}
            for line in (self._folder / f"{file}.txt").read_text("utf-8").splitlines():
                if match := LINE.match(line):
                    codes = range(int(match[1], 16), int(match[2] or match[1], 16) + 1)
                    values.setdefault(match[3], set()).update(codes)
            self._files[file] = values
        return self._files[file].get(value, set())


def rules(read: Database) -> Iterator[tuple[str, Iterable[int]]]:
    """Class letters and their code points; later ones win."""
    letters = read("WordBreakProperty", "ALetter")
    pictographs = read("emoji-data", "Extended_Pictographic")
    spaceless = read("LineBreak", "SA")
    marks = read("WordBreakProperty", "Extend") | read("WordBreakProperty", "Format")
    digits = read("DerivedGeneralCategory", "Nd")
    yield "I", read("Scripts", "Han")
    yield "J", read("Scripts", "Hiragana")
    yield "S", spaceless
    yield "P", pictographs
    yield "A", letters
    yield "G", letters & read("Scripts", "Hangul")
    yield "Q", letters & pictographs
    yield "H", read("WordBreakProperty", "Hebrew_Letter")
    yield "N", read("WordBreakProperty", "Numeric")
    yield "N", {code for code in digits if 0xFF00 <= code <= 0xFFEF}
    yield "K", read("WordBreakProperty", "Katakana")
    yield ":", read("WordBreakProperty", "MidLetter")
    yield ".", read("WordBreakProperty", "MidNumLet")
    yield "'", read("WordBreakProperty", "Single_Quote")
    yield ",", read("WordBreakProperty", "MidNum")
    yield "_", read("WordBreakProperty", "ExtendNumLet")
    yield '"', read("WordBreakProperty", "Double_Quote")
    yield "R", read("WordBreakProperty", "Regional_Indicator")
    yield "E", marks
    yield "Z", read("WordBreakProperty", "ZWJ")
    yield "s", marks & spaceless
    yield "M", read("emoji-data", "Emoji_Modifier")
    yield "V", {0xFE0F}
    yield "C", {0x20E3}
    yield "T", range(0xE0020, 0xE007F)
    yield "Y", {0xE007F}
    yield "#", {ord("#"), ord("*")}


def table(read: Database) -> str:
    """One line a class: its letter, then ranges in hexadecimal."""
    classes = {code: letter for letter, codes in rules(read) for code in codes}
    ranges: list[tuple[int, int, str]] = []
    for code, letter in sorted(classes.items()):
        if ranges and ranges[-1][1:] == (code - 1, letter):
            ranges[-1] = (ranges[-1][0], code, letter)
        else:
            ranges.append((code, code, letter))
    lines: dict[str, list[str]] = {}
    for first, last, letter in ranges:
        lines.setdefault(letter, []).append(f"{first:X}-{last:X}" if last > first else f"{first:X}")
    return "".join(f"{letter} {' '.join(spans)}\n" for letter, spans in lines.items())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="UCD_FOLDER")
    parser.add_argument("--dry-run", action="store_true", help="say whether the table would change")
    options = parser.parse_args()
    new = table(Database(options.folder))
    changed = new != OUTPUT.read_text("ascii")
    print("changed" if changed else "unchanged")
    if changed and not options.dry_run:
        OUTPUT.write_text(new, "ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
