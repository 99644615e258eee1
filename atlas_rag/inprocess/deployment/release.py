"""The server releases that a deployment can answer as."""

from __future__ import annotations

from dataclasses import dataclass

# Release to the highest wire protocol version of its servers.
_WIRE_VERSIONS = {"7.0": 21, "8.0": 25, "8.2": 27, "9.0": 29}


@dataclass(frozen=True, order=True)
class Release:
    """A server release, ordered: `Release.named("8.0") < Release.named("8.2")`."""

    version: tuple[int, int]
    wire_version: int

    @classmethod
    def named(cls, name: str) -> Release:
        """Returns the release "7.0", "8.0", "8.2" or "9.0". Raises ValueError for others."""
        if name not in _WIRE_VERSIONS:
            raise ValueError(f"release {name!r} is unknown; expected one of {', '.join(_WIRE_VERSIONS)}")
        major, minor = name.split(".")
        return cls((int(major), int(minor)), _WIRE_VERSIONS[name])

    def __str__(self) -> str:
        return f"{self.version[0]}.{self.version[1]}"
