"""The journal: one append-only file from which all of a deployment can be told again.

Layout: the eight bytes `MAGIC`, then records. A record is its length and its CRC-32, both unsigned 32 bit
little-endian, and that many bytes of BSON. Reading stops at the first record that is cut short or does not
match its checksum: such a record was never acknowledged, since an append returns only after all of it is
in the file. What follows is cut off when the file is opened for writing.
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

Record = Mapping[str, Any]


class JournalDamaged(ValueError):  # noqa: N818 - it names what was found
    """The file is not a journal of this library."""


class Journal:
    """An open journal file, at its end.

    Args:
        path: the file; created when absent.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        fresh = not path.exists() or path.stat().st_size < len(MAGIC)
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
        self._file.close()
        os.replace(draft, self._path)
        sync_folder(self._path.parent)
        self._file = open(self._path, "r+b", buffering=0)  # noqa: SIM115 - kept open
        self._file.seek(size)
        self.size = size

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
    """Yields (offset behind it, record) up to the first record that is torn or damaged.

    Raises:
        JournalDamaged: the file does not begin as a journal does.
    """
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise JournalDamaged(f"{path} is not a journal of the in-process engine")
        end = len(MAGIC)
        while len(head := file.read(_HEAD.size)) == _HEAD.size:
            length, checksum = _HEAD.unpack(head)
            body = file.read(length)
            if len(body) < length or zlib.crc32(body) != checksum:
                return
            end += _HEAD.size + length
            yield end, bson.decode(body)


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
