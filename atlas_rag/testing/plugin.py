"""The pytest plugin under its public name; it is written in `atlas_rag.inprocess.testing.plugin`."""

from atlas_rag.inprocess.testing.plugin import (
    async_atlas_client,
    atlas_client,
    atlas_collection,
    atlas_faults,
    atlas_server,
    atlas_uri,
    pytest_configure,
)

__all__ = [
    "async_atlas_client",
    "atlas_client",
    "atlas_collection",
    "atlas_faults",
    "atlas_server",
    "atlas_uri",
    "pytest_configure",
]
