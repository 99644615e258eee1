"""The Lucene documents of one partition: whose they are, which block they stand in, which still live.

An embedded document is a document of its own, standing before its parent in the block that ends with the
root document. Numbers are given in the order of insertion and never reused.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from atlas_rag.inprocess.search.search_index.storage.runs import Flags, Ints, Longs

ROOT = 0
LEAST_DEAD = 1000
"""Dead documents below which compacting is not worth it."""


class Documents:
    """All document numbers of a partition.

    `version` rises with every change; views made for an older one are stale.
    """

    def __init__(self) -> None:
        self.version = 0
        self._keys = array("q")
        self._parents = array("i")
        self._scopes = array("h")
        self._dead: set[int] = set()
        self._firsts: dict[int, int] = {}
        self._lasts: dict[int, int] = {}
        self._frozen: _Arrays | None = None

    @property
    def size(self) -> int:
        """One more than the largest number given."""
        return len(self._keys)

    def append(self, key: int, scope: int) -> int:
        """Adds a document of a row under an embedded scope (`ROOT` for the root) and returns its number."""
        self._keys.append(key)
        self._scopes.append(scope)
        self._parents.append(-1)
        return len(self._keys) - 1

    def adopt(self, child: int, parent: int) -> None:
        """Says which document a child stands directly below."""
        self._parents[child] = parent

    def end_block(self, key: int, first: int) -> None:
        """Closes the block of a row that began at `first`."""
        self._firsts[key] = first
        self._lasts[key] = len(self._keys)
        self._changed()

    def remove(self, key: int) -> bool:
        """Marks the block of a row dead; False if the row is not here."""
        first = self._firsts.pop(key, None)
        if first is None:
            return False
        self._dead.update(range(first, self._lasts.pop(key)))
        self._changed()
        return True

    @property
    def rows(self) -> Iterable[int]:
        """Keys of the rows that live here."""
        return self._firsts.keys()

    def block_of(self, key: int) -> tuple[int, int]:
        """Returns the first number of a row's block and the one behind its last."""
        return self._firsts[key], self._lasts[key]

    def __contains__(self, key: int) -> bool:
        return key in self._firsts

    def _changed(self) -> None:
        self.version += 1
        self._frozen = None

    @property
    def arrays(self) -> _Arrays:
        """The numbers as arrays, until the next change."""
        if self._frozen is None:
            self._frozen = _Arrays(self)
        return self._frozen

    def alive_flags(self) -> Flags | None:
        """Which documents live, or None while all do."""
        return self.arrays.alive if self._dead else None

    def dump(self) -> dict[str, Longs]:
        """All that `load` needs, as named arrays."""
        keys = np.fromiter(self._firsts, np.int64, len(self._firsts))
        return {
            "keys": np.array(self._keys, np.int64),
            "parents": np.array(self._parents, np.int64),
            "scopes": np.array(self._scopes, np.int64),
            "dead": np.array(sorted(self._dead), np.int64),
            "rows": keys,
            "firsts": np.array(list(self._firsts.values()), np.int64),
            "lasts": np.array(list(self._lasts.values()), np.int64),
        }

    def load(self, parts: Mapping[str, Any]) -> None:
        """Fills an empty table with what `dump` gave."""
        self._keys.extend(parts["keys"].tolist())
        self._parents.extend(parts["parents"].tolist())
        self._scopes.extend(parts["scopes"].tolist())
        self._dead.update(parts["dead"].tolist())
        rows = parts["rows"].tolist()
        self._firsts.update(zip(rows, parts["firsts"].tolist(), strict=True))
        self._lasts.update(zip(rows, parts["lasts"].tolist(), strict=True))
        self._changed()

    def compact(self) -> Ints:
        """Forgets the dead and numbers the rest anew; returns the new number of each old one, -1 if gone."""
        arrays = self.arrays
        kept = np.flatnonzero(arrays.alive)
        renumbered = np.full(self.size, -1, np.int32)
        renumbered[kept] = np.arange(len(kept), dtype=np.int32)
        parents = arrays.parents[kept]
        parents[parents >= 0] = renumbered[parents[parents >= 0]]
        self._keys = array("q", arrays.keys[kept].tolist())
        self._scopes = array("h", arrays.scopes[kept].tolist())
        self._parents = array("i", parents.tolist())
        self._firsts = {key: int(renumbered[first]) for key, first in self._firsts.items()}
        self._lasts = {key: int(renumbered[last - 1]) + 1 for key, last in self._lasts.items()}
        self._dead = set()
        self._changed()
        return renumbered

    @property
    def worth_compacting(self) -> bool:
        """Whether most numbers belong to documents that are gone."""
        return len(self._dead) > max(LEAST_DEAD, self.size // 2)

    def raw(self) -> tuple[array[int], array[int], array[int], set[int]]:
        """Keys, scopes, direct parents and the dead, as kept."""
        return self._keys, self._scopes, self._parents, self._dead


class _Arrays:
    """Columns over all documents of a partition at one version."""

    def __init__(self, documents: Documents) -> None:
        keys, scopes, parents, dead = documents.raw()
        self._dead = dead
        self.keys: Longs = np.array(keys, np.int64)
        self.scopes: NDArray[np.int16] = np.array(scopes, np.int16)
        self.parents: Ints = np.array(parents, np.int32)

    @cached_property
    def alive(self) -> Flags:
        """True where the document still exists."""
        flags = np.ones(len(self.keys), bool)
        flags[list(self._dead)] = False
        return flags

    @cached_property
    def live(self) -> Ints:
        """All live documents, of every scope."""
        return np.flatnonzero(self.alive).astype(np.int32)

    def live_of(self, scope: int) -> Ints:
        """Returns the live documents of one scope."""
        chosen = self.scopes == scope
        if self._dead:
            chosen &= self.alive
        return np.flatnonzero(chosen).astype(np.int32)
