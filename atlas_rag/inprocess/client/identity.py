"""What a client says of the servers that it is connected to: here, that there are none."""

from __future__ import annotations

from typing import Any, NoReturn

from pymongo.client_options import ClientOptions
from pymongo.driver_info import DriverInfo
from pymongo.topology_description import TopologyDescription

from atlas_rag.inprocess.client.options import Optioned


class ServerlessClient(Optioned):
    """The part of `LocalClient` that answers questions about servers: writable, and at no address."""

    HOST = "localhost"
    """PyMongo's default host; nothing is asked there."""
    PORT = 27017
    """PyMongo's default port; nothing is asked there."""

    @property
    def address(self) -> tuple[str, int] | None:
        """None: no server is asked."""
        return None

    @property
    def primary(self) -> tuple[str, int] | None:
        """None: no server is asked."""
        return None

    @property
    def nodes(self) -> frozenset[tuple[str, int]]:
        """No servers."""
        return frozenset()

    @property
    def secondaries(self) -> set[tuple[str, int]]:
        """No servers."""
        return set()

    @property
    def arbiters(self) -> set[tuple[str, int]]:
        """No servers."""
        return set()

    @property
    def is_primary(self) -> bool:
        """Whether writes are taken: they are."""
        return True

    @property
    def is_mongos(self) -> bool:
        """Whether a router stands before the deployment: none does."""
        return False

    @property
    def options(self) -> ClientOptions:
        """PyMongo's defaults."""
        return ClientOptions(None, None, None, {})  # type: ignore[arg-type]  # as without credentials

    @property
    def topology_description(self) -> TopologyDescription:
        """Is refused: nothing monitors servers here."""
        raise NotImplementedError(
            "topology_description is not supported by the in-process engine, which has no servers to "
            "monitor; `as_pymongo()` gives a client that has"
        )

    def append_metadata(self, driver_info: DriverInfo) -> None:
        """Checks what a driver would tell a server of itself; there is none to tell."""
        if not isinstance(driver_info, DriverInfo):
            raise TypeError(f"driver_info must be a DriverInfo, not {type(driver_info).__name__}")

    def eq_props(self) -> tuple[Any, ...]:
        """Returns what makes two clients equal: the client itself."""
        return (id(self),)

    def __next__(self) -> NoReturn:
        raise TypeError(f"'{type(self).__name__}' object is not iterable")

    next = __next__
