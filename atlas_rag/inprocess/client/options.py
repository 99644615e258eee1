"""Options that PyMongo lets a client, a database or a collection have.

Of a deployment in one process there is one copy, which every acknowledged write is in: it meets every read
preference, every read concern and every write concern that acknowledges. What would change results is
refused.
"""

from __future__ import annotations

from typing import Any, TypedDict, Unpack

from bson.codec_options import DEFAULT_CODEC_OPTIONS, CodecOptions
from pymongo.errors import ConfigurationError
from pymongo.read_concern import DEFAULT_READ_CONCERN, ReadConcern
from pymongo.read_preferences import ReadPreference
from pymongo.write_concern import DEFAULT_WRITE_CONCERN, WriteConcern


class Options(TypedDict, total=False):
    """PyMongo's names; None is the default."""

    codec_options: CodecOptions[Any] | None
    read_preference: Any
    write_concern: WriteConcern | None
    read_concern: ReadConcern | None


class Optioned:
    """What has options: those given, else those of what it belongs to.

    Args:
        options: checked; None among them is left out.
        parent: of the defaults.
    """

    def __init__(self, options: Options | None = None, parent: Optioned | None = None) -> None:
        check_options(**(options or {}))
        given = {name: value for name, value in (options or {}).items() if value is not None}
        self._options: dict[str, Any] = {**(parent._options if parent is not None else {}), **given}

    @property
    def codec_options(self) -> CodecOptions[Any]:
        """How documents are read: always PyMongo's default."""
        return DEFAULT_CODEC_OPTIONS

    @property
    def read_preference(self) -> Any:
        """As given; met by the one copy that there is."""
        return self._options.get("read_preference", ReadPreference.PRIMARY)

    @property
    def read_concern(self) -> ReadConcern:
        """As given; met by the one copy that there is."""
        concern: ReadConcern = self._options.get("read_concern", DEFAULT_READ_CONCERN)
        return concern

    @property
    def write_concern(self) -> WriteConcern:
        """As given; every write is acknowledged."""
        concern: WriteConcern = self._options.get("write_concern", DEFAULT_WRITE_CONCERN)
        return concern


def check_options(**options: Unpack[Options]) -> None:
    """Refuses what the in-process engine would not do as asked.

    Raises:
        ConfigurationError: codec options that are not the default, or a write concern of 0.
        TypeError: an option that PyMongo does not have either.
    """
    unknown = options.keys() - Options.__annotations__.keys()
    if unknown:
        raise TypeError(
            f"there is no option {min(unknown)!r}; there are {', '.join(Options.__annotations__)}"
        )
    if (options.get("codec_options") or DEFAULT_CODEC_OPTIONS) != DEFAULT_CODEC_OPTIONS:
        raise ConfigurationError(
            "codec_options other than the default are not supported by the in-process engine; leave them "
            "out, and convert what it returns"
        )
    concern = options.get("write_concern")
    if concern is not None and not concern.acknowledged:
        raise ConfigurationError(
            "a write concern of 0 is not supported by the in-process engine; leave it out: every write is "
            "acknowledged"
        )
