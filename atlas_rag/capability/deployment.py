"""What a deployment is, from what it says of itself and where it is; never a guess from its version."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Literal

Deployment = Literal["atlas", "atlas_local", "self_managed", "look_alike", "in_process", "unknown"]

ATLAS_HOST = re.compile(r"\.mongodb(-dev|-qa|-stage)?\.net$|\.mongodbgov\.net$", re.IGNORECASE)
LOOK_ALIKE_HOST = re.compile(
    r"docdb(-elastic)?\.amazonaws\.com$|\.cosmos\.azure\.com$|\.firestore\.goog$", re.IGNORECASE
)
"""Hosts of services that speak the protocol and are not MongoDB. Source: their connection strings."""
LOOK_ALIKE_SIGNS = ("ferretdb", "ferretdbVersion", "ferretdbFeatures", "documentdb", "_t")
"""Fields of `buildInfo` or `hello` that only other servers have."""

WORDS: dict[Deployment, str] = {
    "atlas": "MongoDB Atlas",
    "atlas_local": "Atlas Local",
    "self_managed": "a self-managed MongoDB",
    "look_alike": "a server that is not MongoDB",
    "in_process": "the in-process engine",
    "unknown": "a MongoDB of unknown home",
}


def kind_of_deployment(
    build_info: Mapping[str, Any],
    hello: Mapping[str, Any],
    addresses: Iterable[str],
    index_rows: Iterable[Mapping[str, Any]] | None,
) -> Deployment:
    """Where the answers come from.

    Args:
        addresses: `host:port` that answered.
        index_rows: of `$listSearchIndexes`, or None where it was refused. Atlas and Atlas Local say the type
            of each index, a search engine beside a server does not.
    """
    if "atlas-rag" in build_info.get("storageEngines", ()):
        return "in_process"
    hosts = [_host(one) for one in (*addresses, *hello.get("hosts", ()), str(hello.get("me", "")))]
    if _looks_alike(build_info, hello) or any(LOOK_ALIKE_HOST.search(host) for host in hosts):
        return "look_alike"
    if any(ATLAS_HOST.search(host) for host in hosts):
        return "atlas"
    rows = list(index_rows or ())
    if rows:
        return "atlas_local" if all("type" in row for row in rows) else "self_managed"
    if index_rows is not None and "enterprise" in build_info.get("modules", ()):
        return "unknown"
    return "self_managed"


def _looks_alike(build_info: Mapping[str, Any], hello: Mapping[str, Any]) -> bool:
    inside = hello.get("internal")
    inner = inside if isinstance(inside, Mapping) else {}
    return any(sign in one for sign in LOOK_ALIKE_SIGNS for one in (build_info, hello)) or any(
        "documentdb" in str(key).lower() for key in inner
    )


def _host(address: str) -> str:
    return address.rpartition(":")[0] or address
