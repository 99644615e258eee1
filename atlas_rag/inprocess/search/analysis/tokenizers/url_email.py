"""The word tokenizer that keeps URLs and e-mail addresses whole.

Source: RFC 3986 and RFC 1738 (URLs), RFC 5321 and RFC 5322 (addresses), RFC 1123 (hosts), and its
documentation: a host without a scheme needs a known top-level domain, and no letter, digit or hyphen
behind it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from atlas_rag.inprocess.search.analysis.token import Token
from atlas_rag.inprocess.search.analysis.tokenizers.standard import MAX_TOKEN, PATTERN, window_end
from atlas_rag.inprocess.search.analysis.unicode_classes import word_break_classes

LABEL = "[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?"
LABELS = rf"{LABEL}(?:\.{LABEL})*"
OCTET = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|0?[1-9][0-9]|0{0,2}[0-9])"
IPV4 = rf"{OCTET}(?:\.{OCTET}){{3}}"
HEX = "[0-9A-Fa-f]{1,4}"
LOW_32 = f"(?:{IPV4}|{HEX}:{HEX})"
IPV6 = "(?:" + "|".join(
    [
        f"(?:{HEX}:){{6}}{LOW_32}",
        f"::(?:{HEX}:){{5}}{LOW_32}",
        f"(?:{HEX})?::(?:{HEX}:){{4}}{LOW_32}",
        *(f"(?:(?:{HEX}:){{0,{n}}}{HEX})?::(?:{HEX}:){{{3 - n + 1}}}{LOW_32}" for n in (1, 2)),
        f"(?:(?:{HEX}:){{0,3}}{HEX})?::{HEX}:{LOW_32}",
        f"(?:(?:{HEX}:){{0,4}}{HEX})?::{LOW_32}",
        f"(?:(?:{HEX}:){{0,5}}{HEX})?::{HEX}",
        f"(?:(?:{HEX}:){{0,6}}{HEX})?::",
    ]
) + ")"  # fmt: skip
UNRESERVED = "-._~A-Za-z0-9"
ESCAPED = "%[0-9A-Fa-f]{2}"
DELIMITERS = "!$&'()*+,;="
LOGIN = f"(?:[{UNRESERVED}{DELIMITERS}]|{ESCAPED})*"
LOGIN_AT = f"{LOGIN}(?::{LOGIN})?@"
AFTER = f"(?:[{UNRESERVED}{DELIMITERS}:@/?]|{ESCAPED})*"
QUERY = rf"\?{AFTER}"
FRAGMENT = f"#{AFTER}"
PORT = ":[0-9]{1,5}"
PATH = f"(?:/(?:[{UNRESERVED};:@&=]|{ESCAPED})*)+"
LOOSE_HOST = rf"(?:\[{IPV6}\]|{LABELS}|{IPV4})"
FTP_SEGMENT = f"(?:[{UNRESERVED}?:@&=]|{ESCAPED})*"
FTP_PATH = f"/{FTP_SEGMENT}(?:/{FTP_SEGMENT})*"
WITH_SCHEME = re.compile(
    f"(?i:https?)://(?:{LOGIN_AT})?{LOOSE_HOST}(?:{PORT})?(?:{PATH})?(?:{QUERY})?(?:{FRAGMENT})?"
    f"|(?i:ftp)://(?:{LOGIN_AT})?{LOOSE_HOST}(?:{PORT})?{FTP_PATH}(?:;(?i:type)=[aAiIdD])?(?:{FRAGMENT})?"
    f"|(?i:file)://(?:{LOOSE_HOST})?{FTP_PATH}(?:{FRAGMENT})?"
)
ATOM = r"A-Za-z0-9!#$%&'*+,\-./=?^_`{|}~"  # the engine lets comma and full stop count as atoms
QUOTED = r'"(?:[\x01-\x08\x0b\x0c\x0e-!#-\[\]-~]|\\[\x00-\x7f])*"'
ENDED = rf"(?=@|\.[{ATOM}\"])"  # as atoms hold full stops, only quoted parts need them around
LOCAL_PART = rf"(?:[{ATOM}]|{QUOTED}{ENDED})(?:[{ATOM}]++|(?<=[{ATOM}\"]\.){QUOTED}{ENDED})*+"
BRACKETED = r"\[(?:[\x01-\x08\x0b\x0c\x0e-Z\^-\x7f]|\\[\x00-\x7f])*\]"


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """A URL without scheme, a bare host, and an address: those that need the list of top-level domains."""
    folder = files(__package__.rpartition(".")[0]) / "data"
    domains = sorted((folder / "top_level_domains.txt").read_text("ascii").split(), key=len, reverse=True)
    domain = rf"{LABELS}\.(?i:{'|'.join(domains)})"
    strict = rf"{domain}\.?"
    host = rf"(?:\[{IPV6}\]|{strict}|{IPV4})"
    required = f"(?:{PORT}(?:{PATH})?(?:{QUERY})?|{PATH}(?:{QUERY})?|{QUERY})(?:{FRAGMENT})?|{FRAGMENT}"
    return (
        re.compile(f"{host}(?:{required})"),
        # a root dot belongs to a bare host only if something follows
        re.compile(rf"\[{IPV6}\](?![-\w])|{domain}(?:\.(?=[^-\w])|(?![-\w]))|{IPV4}(?![-\w])"),
        re.compile(f"{LOCAL_PART}@(?:{strict}|{BRACKETED})"),
    )


class UrlEmailTokenizer:
    """As the standard tokenizer, but the longest of a word, a URL and an address wins.

    Args:
        max_length: UTF-16 units of a token at most, 1 to 1,048,576.
    """

    def __init__(self, max_length: int = MAX_TOKEN) -> None:
        self._max_length = max_length

    def tokenize(self, text: str) -> list[Token]:
        return [Token(text[start:end], start, end) for start, end in self._spans(text)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        classes = text.translate(word_break_classes())
        place = 0
        while place < len(text):
            limit = window_end(text, place, self._max_length)
            word = PATTERN.match(classes, place, limit)
            end = max(word.end() if word else place, _url_or_email_end(text, place, limit))
            if _is_mailto(text, place, limit):
                end = place + len("mailto")
            if end > place:
                yield place, end
            place = max(end, place + 1)


def _url_or_email_end(text: str, place: int, limit: int) -> int:
    """The end of the longest URL or address that starts here, or `place`."""
    if text[place] > "\x7f" or text[place].isspace():
        return place
    found = (pattern.match(text, place, limit) for pattern in (WITH_SCHEME, *_patterns()))
    return max((match.end() for match in found if match), default=place)


def _is_mailto(text: str, place: int, limit: int) -> bool:
    """Whether the word mailto stands here, before an address."""
    if text[place : place + 7].lower() != "mailto:":
        return False
    return _patterns()[2].match(text, place + 7, limit) is not None
