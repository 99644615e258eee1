"""Lucene field names, as scoreDetails shows them."""

from __future__ import annotations

from typing import NamedTuple

NULL_TERM = "N"
TRUE_TERM, FALSE_TERM = "T", "F"


class Scope(NamedTuple):
    """Which documents a path belongs to: the root ones, or the embedded ones of one array path.

    Args:
        number: 0 for the root, else a number of its own in the index.
        path: the embedded path, "" for the root.
    """

    number: int
    path: str

    @property
    def prefix(self) -> str:
        """What stands before the field names of the scope."""
        return f"$embedded:{len(self.path.encode())}/{self.path}/" if self.path else ""

    def field(self, kind: str, path: str) -> str:
        """Returns the field name of a kind of value of a path."""
        return f"{self.prefix}$type:{kind}/{path}"

    def multi(self, path: str, name: str) -> str:
        """Returns the field name of a multi analyzer of a path."""
        return f"{self.prefix}$multi/{path}.{name}"

    @property
    def paths_field(self) -> str:
        """Returns the field that lists which paths a document has."""
        return f"{self.prefix}$meta/fieldNames"


ROOT_SCOPE = Scope(0, "")
