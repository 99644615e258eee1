"""Libraries built on the driver use our server as they use Atlas; each in an environment of its own."""

from __future__ import annotations

import os

import pytest

from scripts import compat


@pytest.mark.slow
@pytest.mark.timeout(1500)
@pytest.mark.parametrize("name", sorted(compat.EXPECTED))
def test_a_library_builds_indexes_waits_loads_and_queries(name: str) -> None:
    try:
        found = compat.run(name)
    except compat.Unavailable as reason:
        if os.environ.get("CI") == "true":
            pytest.fail(str(reason))
        pytest.skip(str(reason))
    assert found == compat.EXPECTED[name]
