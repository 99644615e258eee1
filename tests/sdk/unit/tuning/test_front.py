"""The names of the package, and what importing it costs."""

from __future__ import annotations

import subprocess
import sys

import pytest

import atlas_rag.tuning as tuning


@pytest.mark.parametrize("name", tuning.__all__)
def test_every_name_loads(name: str) -> None:
    assert getattr(tuning, name).__name__ == name
    assert name in dir(tuning)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="nothing"):
        _ = tuning.nothing


def test_importing_the_package_brings_in_no_numpy() -> None:
    code = "import atlas_rag.tuning, sys; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
