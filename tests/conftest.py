"""Fixtures that every folder of tests may use."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import hypothesis
import pymongo
import pytest

from tests.support import mongod

hypothesis.settings.register_profile("gate", derandomize=True, deadline=None)
hypothesis.settings.register_profile("search", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "gate"))
"""The gate says the same of the same commit; `HYPOTHESIS_PROFILE=search make test` draws anew."""

pytest_plugins = ["atlas_rag.testing.plugin", "pytester"]


@pytest.fixture(scope="session")
def mongod_uri() -> Iterator[str]:
    """Connection string of a real server; mark the tests that use it with `mongod`."""
    try:
        mongod.binary()
    except mongod.NoMongod as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))
    with mongod.running() as uri:
        yield uri


@pytest.fixture(scope="session")
def mongod_client(mongod_uri: str) -> Iterator[pymongo.MongoClient]:
    """A PyMongo client of the real server."""
    with pymongo.MongoClient(mongod_uri) as client:
        yield client


SERVERS = ("serve", "serving", "ScriptedServer", "mongod")
"""What a module of tests names that opens servers."""


def opens_servers(module: ModuleType | None) -> bool:
    """Whether connections may be left over from the tests of a module."""
    folder = Path(getattr(module, "__file__", "") or "").parent.name
    return folder in ("wire", "live", "server") or any(hasattr(module, name) for name in SERVERS)


@pytest.fixture(scope="module", autouse=True)
def _settled(request: pytest.FixtureRequest) -> Iterator[None]:
    """Lets go of connections where they were opened, so that no test of another module hears of them."""
    yield
    if opens_servers(request.module):
        gc.collect()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, so that no worker is left alone with one at the end; late connections do not fail.

    A connection that a driver opens while a server ends is closed by the system, not by it.
    """
    late = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
    for item in items:
        if opens_servers(getattr(item, "module", None)):
            item.add_marker(late)
    long = {item.path for item in items if item.get_closest_marker("slow")}
    items.sort(key=lambda item: item.path not in long)
