"""HTML strip: tags, comments, scripts and styles go, character references become characters.

Source: the documented rules of Lucene's HTMLStripCharFilter. A tag counts only where it is complete;
inline elements leave nothing behind, all others a line feed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from html.entities import name2codepoint

from atlas_rag.inprocess.search.analysis.offsets import CharFilter, Edits, Origin

INLINE = frozenset(
    "a b i q s u abbr acronym basefont bdo big cite code dfn em font img input kbd label samp select small "
    "span strike strong sub sup textarea tt var".split()
)
ENTITIES = dict(name2codepoint) | {
    name.upper(): name2codepoint[name] for name in "quot amp lt gt copy reg".split()
}
ENTITIES["nbsp"] = 0x20
LONGEST_ENTITY = max(map(len, ENTITIES))
NUMERIC = re.compile("#(?:[xX]([0-9A-Fa-f]+)|([0-9]+))")
SURROGATES = re.compile(
    "#(?:[xX]([dD][89aAbB][0-9a-fA-F]{2})|(5[56][0-9]{3}));"
    "&#(?:[xX]([dD][c-fC-F][0-9a-fA-F]{2})|(5[67][0-9]{3}));"
)
SPACE = re.compile(r"\s*", re.ASCII)
ATTRIBUTE = re.compile(r"\s++(?P<name>[:_\w][-.:\w]*)\s*=\s*(?:'(?:\\'|[^'])*+'|\"(?:\\\"|[^\"])*+\")")
INCLUDE = re.compile("<!--#(?:[^'\"]|'(?:\\\\'|[^'])*'|\"(?:\\\\\"|[^\"])*\")*?-->")
SCRIPT_OR_STYLE_END = {
    name: re.compile(rf"</\s*{name}\s*>", re.IGNORECASE | re.ASCII) for name in ("script", "style")
}


def html_strip(ignored: Collection[str] = ()) -> CharFilter:
    """A char filter that leaves the `ignored` tags where they are, whatever their case."""
    kept = frozenset(tag.lower() for tag in ignored)

    def apply(text: str) -> tuple[str, Origin | None]:
        if "<" not in text and "&" not in text:
            return text, None
        return _Stripping(text, kept).result()

    return apply


class _Stripping:
    """One pass over a text; `place` is what is read next."""

    def __init__(self, text: str, kept: frozenset[str]) -> None:
        self._text = text
        self._kept = kept
        self._edits = Edits()
        self._place = 0
        self._close = -1  # the first `>` behind the last place where one was looked for

    def result(self) -> tuple[str, Origin | None]:
        steps: dict[str, Callable[[int], None]] = {"&": self._reference, "<": self._angle}
        while self._place < len(self._text):
            start = min((i for i in map(self._find, "&<") if i >= 0), default=len(self._text))
            self._edits.keep(self._text[self._place : start])
            self._place = start
            if start < len(self._text):
                steps[self._text[start]](start)
        return self._edits.result()

    def _find(self, what: str) -> int:
        return self._text.find(what, self._place)

    def _keep(self, end: int) -> None:
        """What was read so far is no markup; it stays, and is not looked at again."""
        self._edits.keep(self._text[self._place : end])
        self._place = end

    def _put(self, end: int, put: str = "") -> None:
        self._edits.replace_at_end(end - self._place, put)
        self._place = end

    # -- character references

    def _reference(self, start: int) -> None:
        text = self._text
        pair = SURROGATES.match(text, start + 1)
        if pair is not None and (put := _paired(pair)):
            self._put(pair.end(), put)
            return
        numeric = NUMERIC.match(text, start + 1)
        if numeric is not None:
            self._referenced(numeric.end(), _numeric(numeric))
        elif text.startswith("#", start + 1):
            self._keep(start + 2)
        else:
            name = next(
                (text[start + 1 : start + 1 + n] for n in range(LONGEST_ENTITY, 1, -1)
                 if text[start + 1 : start + 1 + n] in ENTITIES and start + n < len(text)), ""
            )  # fmt: skip
            self._referenced(start + 1 + len(name), chr(ENTITIES[name]) if name else "")

    def _referenced(self, end: int, put: str) -> None:
        """A reference counts if a semicolon or the end of the text follows."""
        if put and self._text.startswith(";", end):
            self._put(end + 1, put)
        elif put and end == len(self._text):
            self._put(end, put)
        else:
            self._keep(end)

    # -- tags

    def _angle(self, start: int) -> None:
        text = self._text
        behind = start + 1
        if text.startswith("!", behind):
            self._declaration(start + 2)
        elif text.startswith("/", behind):
            self._end_tag(start + 2)
        elif text.startswith("?", behind) and (close := self._instruction_end(behind)) is not None:
            self._put(close)
        else:
            self._start_tag(behind)

    def _instruction_end(self, behind: int) -> int | None:
        """The end of a processing instruction: its first `>`, if a slash or question mark stands before."""
        if self._close < behind:
            found = self._text.find(">", behind)
            self._close = found if found >= 0 else len(self._text)
        ended = self._close < len(self._text) and self._text[self._close - 1] in "/?"
        return self._close + 1 if ended and self._close > behind + 1 else None

    def _start_tag(self, behind: int) -> None:
        text = self._text
        name_start = _skip_space(text, behind)
        for special in ("br", "script", "style"):
            if text[name_start : name_start + len(special)].lower() == special:
                end = _tag_end(text, name_start + len(special), equals=special == "br")
                if end is not None:
                    self._special(special, end)
                    return
        name_end = _name_end(text, name_start)
        if name_end == name_start:
            self._keep(max(name_start, behind))
            return
        name = text[name_start:name_end].lower()
        end = _tag_end(text, name_end, equals=True)
        if end is None:
            # a tag cut off by the end of the text is dropped, any other is text
            (self._put if name_end == len(text) and name not in self._kept else self._keep)(name_end)
        elif name in self._kept:
            self._keep(end)
        else:
            self._put(end, "" if name in INLINE else "\n")

    def _special(self, name: str, end: int) -> None:
        kept = name in self._kept
        if name == "br":
            (self._keep(end) if kept else self._put(end, "\n"))
            return
        if kept:
            self._keep(end)
        close = self._raw_end(SCRIPT_OR_STYLE_END[name], end)
        if close is None:
            self._put(len(self._text))
        elif kept:
            self._put(close.start())
            self._keep(close.end())
        else:
            self._put(close.end(), "\n")

    def _raw_end(self, closing: re.Pattern[str], place: int) -> re.Match[str] | None:
        """The closing tag of a script or style; comments in it are skipped, with the strings in them."""
        text = self._text
        while True:
            match = closing.search(text, place)
            comment = text.find("<!--", place)
            if comment < 0 or (match is not None and match.start() < comment):
                return match
            end = _comment_end(text, comment + 4, strings=True)
            if end is None:
                return None
            place = end

    def _end_tag(self, behind: int) -> None:
        text = self._text
        name_start = _skip_space(text, behind)
        name_end = _name_end(text, name_start)
        if name_end == name_start:
            self._keep(name_start)
            return
        name = text[name_start:name_end].lower()
        end = _skip_space(text, name_end)
        closed = text.startswith(">", end)
        if name in self._kept and name not in SCRIPT_OR_STYLE_END:
            self._keep(end + 1 if closed else name_end)
        elif closed:
            self._put(end + 1, "" if name in INLINE else "\n")
        else:
            (self._put if name_end == len(text) else self._keep)(name_end)

    def _declaration(self, behind: int) -> None:
        text = self._text
        if text.startswith("--", behind):
            end = _comment_end(text, behind + 2, strings=False)
            self._put(len(text) if end is None else end)
        elif text.startswith("[CDATA[", behind):
            self._put(behind + 7)
            close = text.find("]]>", self._place)
            self._keep(len(text) if close < 0 else close)
            self._put(min(self._place + 3, len(text)))
        else:
            close = text.find(">", behind)
            (self._keep(len(text)) if close < 0 else self._put(close + 1))


def _skip_space(text: str, place: int) -> int:
    match = SPACE.match(text, place)
    return match.end() if match else place


def _name_end(text: str, start: int) -> int:
    if not (text[start : start + 1].isidentifier() or text[start : start + 1] == ":"):
        return start
    end = start + 1
    while end < len(text) and (text[end] in "-.:" or ("a" + text[end]).isidentifier()):
        end += 1
    return end


def _tag_end(text: str, place: int, *, equals: bool) -> int | None:
    """The end of a start tag, None if it is never closed; attributes may hold angle brackets in quotes.

    Args:
        equals: a `=` may follow the name.
    """
    if equals and text.startswith("=", place):
        place = _skip_space(text, place + 1)
    fallback = None
    while place < len(text):
        char = text[place]
        if char == ">":
            return place + 1
        if char == "<":
            include = INCLUDE.match(text, place)
            if include is None:
                return fallback
            place = include.end()
            continue
        attribute = ATTRIBUTE.match(text, place) if char.isspace() else None
        if attribute is None:
            place = max(place + 1, _skip_space(text, place))
            continue
        bracket = next((i for i in range(*attribute.span()) if text[i] in "<>"), None)
        if bracket is not None and text[bracket] == ">":
            fallback = bracket + 1
        place = attribute.end()
    return fallback


def _comment_end(text: str, place: int, *, strings: bool) -> int | None:
    """The end of a comment; a server-side include in it has strings, a script's comment too."""
    inside_include = False
    while place < len(text):
        if text.startswith("-->", place):
            place += 3
            if not inside_include:
                return place
            inside_include = False
        elif text.startswith("<!--#", place) and not inside_include:
            inside_include = True
            place += 5
        elif text[place] in "'\"" and (strings or inside_include):
            end = _string_end(text, place)
            if end is None:
                return None
            place = end
        else:
            place += 1
    return None


def _string_end(text: str, start: int) -> int | None:
    place = start + 1
    while place < len(text):
        if text[place] == "\\":
            place += 2
        elif text[place] == text[start]:
            return place + 1
        else:
            place += 1
    return None


def _numeric(match: re.Match[str]) -> str:
    """The character of a numeric reference, "" if there is none."""
    digits = match[1] or match[2]
    if len(digits) > (5 if match[1] else 7) and not (match[1] and len(digits) == 5):
        return ""
    code = int(digits, 16 if match[1] else 10)
    if code > 0x10FFFF:
        return ""
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else chr(code)


def _paired(match: re.Match[str]) -> str:
    """The character of two surrogate references, "" if they are no pair."""
    high = int(match[1], 16) if match[1] else int(match[2])
    low = int(match[3], 16) if match[3] else int(match[4])
    if not (0xD800 <= high <= 0xDBFF and 0xDC00 <= low <= 0xDFFF):
        return ""
    return chr(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
