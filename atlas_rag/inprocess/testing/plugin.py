"""The pytest plugin. Everything is made when a test asks for it, fresh for each test.

The marker `atlas_rag` sets how: `@pytest.mark.atlas_rag(server_version="8.0", index_delay=5.0)`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from atlas_rag.inprocess.client import AsyncLocalClient, LocalClient, LocalCollection
    from atlas_rag.inprocess.server import RunningServer
    from atlas_rag.inprocess.testing.ordering import Faults

_OPTIONS = frozenset({"server_version", "index_delay", "simulate_loss", "models", "rerankers", "path"})


def pytest_configure(config: pytest.Config) -> None:
    """Makes the marker known."""
    config.addinivalue_line(
        "markers",
        "atlas_rag(server_version='8.2', index_delay=0.0, simulate_loss=False, path=None): how this test's "
        "in-process engine is made: the release that it answers as, seconds until a new search index is "
        "queryable, whether approximate vector searches may miss hits, its folder",
    )


def _options(request: pytest.FixtureRequest) -> dict[str, Any]:
    marker = request.node.get_closest_marker("atlas_rag")
    options = dict(marker.kwargs) if marker else {}
    if marker and (marker.args or options.keys() - _OPTIONS):
        raise pytest.UsageError(f"the marker atlas_rag takes {', '.join(sorted(_OPTIONS))}, by name")
    return options


@pytest.fixture
def atlas_client(request: pytest.FixtureRequest) -> Iterator[LocalClient]:
    """A client of a fresh in-process deployment."""
    from atlas_rag.inprocess.client import LocalClient

    with LocalClient(**_options(request)) as client:
        yield client


@pytest.fixture
def async_atlas_client(atlas_client: LocalClient) -> AsyncLocalClient:
    """An asynchronous client of the deployment of `atlas_client`."""
    from atlas_rag.inprocess.client import AsyncLocalClient

    return AsyncLocalClient.over(atlas_client)


@pytest.fixture
def atlas_collection(atlas_client: LocalClient) -> LocalCollection:
    """An empty collection of `atlas_client`."""
    return atlas_client["test"].create_collection("test")


@pytest.fixture
def atlas_server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """A fresh server on a free port of this machine; its `uri` is for any driver."""
    from atlas_rag.inprocess.deployment import Deployment
    from atlas_rag.inprocess.server import Options, RunningServer

    options = _options(request)
    release = options.pop("server_version", "8.2")
    server = RunningServer(Deployment(release, **options), Options()).start()
    yield server
    server.stop()


@pytest.fixture
def atlas_uri(atlas_server: RunningServer) -> str:
    """The connection string of `atlas_server`."""
    return atlas_server.uri


@pytest.fixture
def atlas_faults(request: pytest.FixtureRequest) -> Faults:
    """Orders faults: from `atlas_server` where the test uses it, else from `atlas_client`."""
    from atlas_rag.inprocess.testing.ordering import Faults

    by_server = {"atlas_server", "atlas_uri"}.intersection(request.fixturenames)
    owner = request.getfixturevalue("atlas_server" if by_server else "atlas_client")
    return Faults(owner.deployment)
