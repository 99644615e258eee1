"""One writer at a time: a lock on a folder that ends with its process, however that ends."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO


class FolderBusy(OSError):  # noqa: N818 - it names what was found
    """Another client has the folder open."""


class FolderLock:
    """Holds a folder until closed.

    The lock is the operating system's on the file `lock` inside, so nothing is left behind by a killed
    process; the file holds the owner's process number for people to read.

    Raises:
        FolderBusy: another client, of this process or another one, holds it.
    """

    def __init__(self, folder: Path) -> None:
        self._file = open(folder / "lock", "a+", encoding="ascii")  # noqa: SIM115 - kept open
        if not _try_lock(self._file):
            self._file.seek(0)
            owner = self._file.read().strip() or "unknown"
            self._file.close()
            raise FolderBusy(
                f"{folder} is open in another client (process {owner}). One writer at a time: close that "
                "client, or start `atlas-rag serve --path` once and connect to it."
            )
        self._file.seek(0)
        self._file.truncate()
        self._file.write(str(os.getpid()))
        self._file.flush()

    def close(self) -> None:
        """Lets others in."""
        self._file.close()


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: IO[str]) -> bool:
        # One byte far behind the text, since a locked region cannot be read by others there.
        file.seek(1 << 20)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(file: IO[str]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
