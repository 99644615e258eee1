"""What a deployment is follows from facts that it states, never from its version."""

from __future__ import annotations

from typing import Any

import pytest

from atlas_rag import Feature, LocalClient, Retriever
from atlas_rag.capability.deployment import kind_of_deployment

ENTERPRISE = {"version": "8.2.0", "modules": ["enterprise"]}
PLAIN = {"version": "8.2.0", "modules": []}
TYPED, UNTYPED = [{"name": "i", "type": "search"}], [{"name": "i"}]


@pytest.mark.parametrize(
    ("build", "hello", "addresses", "rows", "kind"),
    [
        (ENTERPRISE, {"hosts": ["c-00.abc.mongodb.net:27017"]}, [], None, "atlas"),
        (ENTERPRISE, {"msg": "isdbgrid"}, ["c-mongos.abc.mongodb.net:27016"], TYPED, "atlas"),
        (ENTERPRISE, {"me": "c-00.abc.mongodbgov.net:27017"}, [], TYPED, "atlas"),
        (ENTERPRISE, {"hosts": ["localhost:27017"]}, ["127.0.0.1:27017"], TYPED, "atlas_local"),
        (ENTERPRISE, {}, ["db.mongodb.net.example.com:27017"], None, "self_managed"),
        (ENTERPRISE, {}, ["127.0.0.1:27017"], [], "unknown"),
        (PLAIN, {}, ["db.example.com:27017"], UNTYPED, "self_managed"),
        (PLAIN, {}, ["[::1]:27017"], None, "self_managed"),
        (PLAIN, {}, ["x.cluster-y.eu-west-1.docdb.amazonaws.com:27017"], TYPED, "look_alike"),
        (PLAIN, {}, ["x.mongocluster.cosmos.azure.com:10260"], TYPED, "look_alike"),
        (PLAIN, {"internal": {"documentdb_versions": ["0.100"]}}, [], TYPED, "look_alike"),
        ({**PLAIN, "ferretdb": {"version": "2"}}, {}, [], None, "look_alike"),
        ({**ENTERPRISE, "storageEngines": ["atlas-rag"]}, {}, [], [], "in_process"),
    ],
)
def test_kinds(build: Any, hello: Any, addresses: Any, rows: Any, kind: str) -> None:
    assert kind_of_deployment(build, hello, addresses, rows) == kind


def test_the_in_process_engine_is_known() -> None:
    report = Retriever(LocalClient()["app"]["docs"]).capability()
    assert report.deployment == "in_process"
    assert all(report.can(feature) for feature in Feature if feature is not Feature.RERANK)
    assert not report.can(Feature.RERANK)
