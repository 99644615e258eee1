"""Both sides for every module of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.inprocess.conformance.commands.sides import Sides, two_sides


@pytest.fixture(scope="module")
def sides(mongod_client: Any) -> Iterator[Sides]:
    with two_sides(mongod_client) as both:
        yield both
