"""The journal: one append-only file from which all of a deployment can be told again.

Layout: the eight bytes `MAGIC`, then records. A record is its length and its CRC-32, both unsigned 32 bit
little-endian, and that many bytes of BSON.

An append returns only after all of it is in the file. So a file that ends within a record (or in zeros, where
a file system had made room) was left by a writer that never acknowledged it: that torn tail is cut off when
the file is opened for writing. Anything else that does not match its checksum is damage, and there may be
acknowledged records in it or behind it: the file is refused and left as it is.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import bson

MAGIC = b"ATLRAG\x00\x01"
_HEAD = struct.Struct("<II")
_LENGTH = struct.Struct("<I")
_SHORTEST = 5  # bytes of BSON
_FIRST_FIELD = b"\x02op\0"

Record = Mapping[str, Any]


class JournalDamaged(ValueError):  # noqa: N818 - it names what was found
    """The file is not a journal of this library, or not whole; the text says where and what to do."""


class Journal:
    """An open journal file, at its end.

    Args:
        path: the file; created when absent.
        known: that there were records in it before.

    Raises:
        JournalDamaged: it was known to have records, and has none.
    """

    def __init__(self, path: Path, *, known: bool = False) -> None:
        self._path = path
        size = path.stat().st_size if path.exists() else 0
        if known and size <= len(MAGIC):
            raise JournalDamaged(
                f"{path} has {size} bytes, but there were collections in it: restore the folder "
                "from a backup, or remove the folder to begin anew"
            )
        fresh = size < len(MAGIC)
        self._file = open(path, "wb" if fresh else "r+b", buffering=0)  # noqa: SIM115 - kept open
        if fresh:
            self._file.write(MAGIC)
            self.make_durable()
            sync_folder(path.parent)
        self.size = len(MAGIC)

    @property
    def is_empty(self) -> bool:
        """Whether it holds no record."""
        return self.size == len(MAGIC)

    def replay(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yields (offset behind the record, record) for each whole record, then cuts off a torn tail."""
        self.size = len(MAGIC)
        for end, record in read_records(self._path):
            self.size = end
            yield end, record
        self._file.truncate(self.size)
        self._file.seek(self.size)

    def append(self, records: Iterable[Record], *, durable: bool) -> None:
        """Appends all records in one write.

        Args:
            records: told again in this order.
            durable: return only when the disk has them (`fsync`), so that they survive a loss of power;
                otherwise the operating system has them, and they survive the death of this process.

        Raises:
            OSError: the file does not have them; the journal is cut back to what it held before.
        """
        block = b"".join(map(encode_record, records))
        if not block:
            return
        try:
            _write_all(self._file.fileno(), block)
            if durable:
                self.make_durable()
        except OSError:
            self._file.truncate(self.size)
            self._file.seek(self.size)
            raise
        self.size += len(block)

    def rewrite(self, records: Iterable[Record]) -> None:
        """Replaces the whole content; a reader finds either the old journal or the new one."""
        draft = self._path.with_suffix(".draft")
        with open(draft, "wb") as file:
            file.write(MAGIC)
            size = len(MAGIC)
            for record in records:
                block = encode_record(record)
                file.write(block)
                size += len(block)
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, self._path)
        sync_folder(self._path.parent)
        self._file.close()
        self._file = open(self._path, "r+b", buffering=0)  # noqa: SIM115 - kept open
        self._file.seek(size)
        self.size = size

    def leave(self) -> None:
        """Closes the file as it is."""
        self._file.close()

    def close(self) -> None:
        """Makes everything durable and closes the file."""
        if not self._file.closed:
            self.make_durable()
            self._file.close()

    def make_durable(self) -> None:
        """Returns when the disk has everything."""
        os.fsync(self._file.fileno())


def encode_record(record: Record) -> bytes:
    """Length, checksum and BSON of one record."""
    body = bson.encode(record)
    return _HEAD.pack(len(body), zlib.crc32(body)) + body


def read_records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yields (offset behind it, record) up to a torn tail.

    Raises:
        JournalDamaged: the file does not begin as a journal does, or holds a damaged record.
    """
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise JournalDamaged(f"{path} is not a journal of the in-process engine")
        end = len(MAGIC)
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            body = file.read(length)
            if len(body) < max(length, _SHORTEST) or zlib.crc32(body) != checksum:
                _check_torn(path, end)
                return
            end += _HEAD.size + length
            yield end, bson.decode(body)


def _check_torn(path: Path, end: int) -> None:
    """Refuses a file whose rest is no torn tail. Raises `JournalDamaged`."""
    rest = path.read_bytes()[end:]
    if _is_beginning(rest) or not any(rest):
        return
    whole = _whole_records(rest)
    behind = f"; {whole} whole records stand behind the damage" if whole else ""
    raise JournalDamaged(
        f"{path} is damaged at byte {end} of {end + len(rest)}{behind}. It was left as it is: restore the "
        f"folder from a backup, or keep a copy and cut it to {end} bytes to go on with what stands before"
    )


def _is_beginning(rest: bytes) -> bool:
    """Whether some bytes are the beginning of one record, and not all of it."""
    if len(rest) < _HEAD.size + _LENGTH.size:
        return True
    length, _ = _HEAD.unpack_from(rest)
    (own,) = _LENGTH.unpack_from(rest, _HEAD.size)  # BSON begins with its own length
    return bool(own == length and len(rest) < _HEAD.size + length)


def _whole_records(rest: bytes) -> int:
    """Returns how many records can be read somewhere in some bytes: each begins with the field `op`."""
    found, at = 0, rest.find(_FIRST_FIELD)
    while at >= 0:
        start = at - _LENGTH.size - _HEAD.size
        if start >= 0:
            length, checksum = _HEAD.unpack_from(rest, start)
            body = rest[start + _HEAD.size : start + _HEAD.size + length]
            found += len(body) == length and zlib.crc32(body) == checksum
        at = rest.find(_FIRST_FIELD, at + 1)
    return found


def sync_folder(folder: Path) -> None:
    """Makes the names in a folder durable, where the system can."""
    if os.name == "nt":  # directories cannot be opened there
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_all(handle: int, block: bytes) -> None:
    view = memoryview(block)
    while view:
        view = view[os.write(handle, view) :]
