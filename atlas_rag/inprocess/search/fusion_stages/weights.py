"""`combination.weights` of a fusion, checked in the server's order."""

from __future__ import annotations

import difflib
import math
from collections.abc import Mapping, Sequence
from typing import Any

from atlas_rag.inprocess.errors import CommandError
from atlas_rag.inprocess.mql.values import type_name
from atlas_rag.inprocess.mql.values.numbers import to_float
from atlas_rag.inprocess.mql.values.types import is_number


def read_weights(stage: str, given: Mapping[str, Any], names: Sequence[str]) -> dict[str, float]:
    """One weight ≥ 0 per input pipeline, 1.0 where none is given.

    Raises:
        CommandError: 9460301 more weights than pipelines, 13118 not a number, 9460300 negative, 9967500
            for a pipeline that does not exist.
    """
    if len(given) > len(names):
        text = f"If there are {len(names)} pipelines, there can be at most {len(names)} combination.weights."
        raise CommandError(9460301, f"{stage} input has more weights than pipelines. {text}")
    weights = {name: _weight(name, value) for name, value in given.items()}
    unknown = [name for name in weights if name not in names]
    if unknown:
        listed = ", ".join(_suggested(name, names) for name in unknown)
        text = "in 'combination.weights' that did not reference valid pipeline names"
        raise CommandError(9967500, f"{stage} stage contained {len(unknown)} weight(s) {text}: {listed}")
    return {name: weights.get(name, 1.0) for name in names}


def _weight(name: str, value: Any) -> float:
    if not is_number(value):
        raise CommandError(13118, f"expected {name} to be a number, but it is of type {type_name(value)}")
    weight = to_float(value)
    if weight < 0 or math.isnan(weight):
        raise CommandError(9460300, f"A pipeline's weight must be non-negative, but {name} has {weight:g}")
    return weight


def _suggested(name: str, names: Sequence[str]) -> str:
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.0)
    return f"'{name}' (did you mean {' or '.join(repr(each) for each in close)}?)"
