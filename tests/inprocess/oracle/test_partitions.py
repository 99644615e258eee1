"""The recorded engine returns equal scores partition by partition: their order tells where documents lie."""

from __future__ import annotations

import pytest

from atlas_rag.inprocess.search.algorithms.murmur3 import murmur3_128, partition
from tests.support import recordings


@pytest.mark.parametrize(
    ("data", "expected"),
    [  # published values of the reference implementation
        (b"", "00000000000000000000000000000000"),
        (b"hello", "cbd8a7b341bd9b025b1e906a48ae1d19"),
        (b"The quick brown fox jumps over the lazy dog", "e34bbc7bbc071b6c7a433ca9c49a9347"),
    ],
)
def test_the_hash_is_murmur3(data: bytes, expected: str) -> None:
    low, high = murmur3_128(data)
    assert f"{low:016x}{high:016x}" == expected


def test_equal_scores_come_in_partition_order() -> None:
    recording = recordings.engine("main_partitions")
    count = recording["definition"]["numPartitions"]
    answers = [
        case["out"]["results"]
        for case in recording["cases"]
        if case["kind"] == "search" and "sort" not in case["q"]
    ]
    constant = [
        [hit["_id"] for hit in answer]
        for answer in answers
        if len(answer) > 1 and len({hit["$searchScore"] for hit in answer}) == 1
    ]
    assert len(constant) >= 8
    for ids in constant:
        assert ids == sorted(ids, key=lambda each: (partition(each, count), each))
