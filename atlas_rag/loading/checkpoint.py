"""A file that says how far loading came, and proves that it speaks of the same input."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bson import json_util


@dataclass(frozen=True, slots=True)
class Mark:
    """All items before this position are dealt with.

    Args:
        digest: of their content hashes, in order. last_id, last_hash: of the last that was stored, or None.
    """

    position: int
    digest: str
    last_id: Any = None
    last_hash: str = ""


class Trail:
    """The digest of everything that was passed so far."""

    def __init__(self) -> None:
        self._digest = hashlib.sha256()

    def add(self, content_hash: str) -> str:
        """Passes one more item and returns the digest up to here."""
        self._digest.update(content_hash.encode() + b"\n")
        return self._digest.hexdigest()


class Checkpoint:
    """One file for one namespace."""

    def __init__(self, path: Path | None, namespace: str) -> None:
        self._path, self._namespace = path, namespace

    def read(self) -> Mark | None:
        """The mark, or None where there is none that can be used."""
        if self._path is None:
            return None
        try:
            found = json_util.loads(self._path.read_text(encoding="utf-8"))
            if found["namespace"] != self._namespace:
                return None
            return Mark(found["position"], found["digest"], found["last_id"], found["last_hash"])
        except (OSError, ValueError, KeyError, TypeError):
            return None  # no use of it costs a look at each document, nothing else

    def write(self, mark: Mark) -> None:
        """Replaces the file as a whole."""
        if self._path is None:
            return
        content = {
            "namespace": self._namespace,
            "position": mark.position,
            "digest": mark.digest,
            "last_id": mark.last_id,
            "last_hash": mark.last_hash,
        }
        self._path.parent.mkdir(parents=True, exist_ok=True)
        beside = self._path.with_name(f"{self._path.name}.new")
        beside.write_text(json_util.dumps(content) + "\n", encoding="utf-8")
        beside.replace(self._path)
