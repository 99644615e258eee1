"""Options of the asynchronous faces: those of what they stand for."""

from __future__ import annotations

from typing import Any

from bson.codec_options import CodecOptions
from pymongo.read_concern import ReadConcern
from pymongo.write_concern import WriteConcern

from atlas_rag.inprocess.client.options import Optioned


class OptionedFace:
    """What has the options of its delegate."""

    delegate: Optioned

    @property
    def codec_options(self) -> CodecOptions[Any]:
        """How documents are read: always PyMongo's default."""
        return self.delegate.codec_options

    @property
    def read_preference(self) -> Any:
        """As given; met by the one copy that there is."""
        return self.delegate.read_preference

    @property
    def read_concern(self) -> ReadConcern:
        """As given; met by the one copy that there is."""
        return self.delegate.read_concern

    @property
    def write_concern(self) -> WriteConcern:
        """As given; every write is acknowledged."""
        return self.delegate.write_concern
