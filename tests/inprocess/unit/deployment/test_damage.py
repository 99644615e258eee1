"""A journal after damage or a loss of power: all that was acknowledged is there, or opening is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from atlas_rag.inprocess.client import LocalClient
from atlas_rag.inprocess.store.journal import JournalDamaged

DOCUMENTS = [{"_id": 1, "t": "one"}, {"_id": 2, "t": "two"}, {"_id": 3, "b": bytes(20)}]


def written(folder: Path) -> list[bytes]:
    """Returns the journal as it was after each of three acknowledged writes."""
    states = []
    with LocalClient(folder) as client:
        for document in DOCUMENTS:
            client["a"]["b"].insert_one(dict(document))
            states.append((folder / "journal").read_bytes())
    return states


def found(folder: Path) -> list[dict[str, object]]:
    with LocalClient(folder) as client:
        return list(client["a"]["b"].find())


def test_every_flipped_byte_is_refused_and_the_file_left_as_it_was(tmp_path: Path) -> None:
    whole = written(tmp_path)[-1]
    for place in range(len(whole)):
        flipped = bytearray(whole)
        flipped[place] ^= 1 << place % 8
        (tmp_path / "journal").write_bytes(flipped)
        with pytest.raises(JournalDamaged):
            LocalClient(tmp_path)
        assert (tmp_path / "journal").read_bytes() == flipped


def test_a_loss_of_power_anywhere_leaves_what_was_acknowledged_before(tmp_path: Path) -> None:
    states = written(tmp_path)
    for count in range(1, len(states)):
        before, after = states[count - 1], states[count]
        for end in range(len(before), len(after)):
            for tail in (b"", bytes(600)):
                kept = before if tail else after[:end]  # room made for a write of which nothing came
                (tmp_path / "journal").write_bytes(kept + tail)
                assert found(tmp_path) == DOCUMENTS[:count]


def test_damage_is_told_with_its_place_and_what_stands_behind_it(tmp_path: Path) -> None:
    first, *_, whole = written(tmp_path)
    damaged = bytearray(whole)
    damaged[len(first) + 20] ^= 1
    (tmp_path / "journal").write_bytes(damaged)
    place = f"damaged at byte {len(first)} of {len(whole)}; 1 whole records .* cut it to {len(first)} bytes"
    with pytest.raises(JournalDamaged, match=place):
        LocalClient(tmp_path)
    (tmp_path / "journal").write_bytes(damaged[: len(first)])
    assert found(tmp_path) == DOCUMENTS[:1]


@pytest.mark.parametrize("size", [0, 5, 8])
def test_an_empty_journal_is_refused_where_collections_were_known(tmp_path: Path, size: int) -> None:
    whole = written(tmp_path)[-1]
    (tmp_path / "journal").write_bytes(whole[:size])
    with pytest.raises(JournalDamaged, match="restore the folder"):
        LocalClient(tmp_path)
    assert (tmp_path / "journal").read_bytes() == whole[:size]
    (tmp_path / "journal").unlink()
    with pytest.raises(JournalDamaged, match="has 0 bytes"):
        LocalClient(tmp_path)


def test_a_folder_without_collections_may_begin_anew(tmp_path: Path) -> None:
    LocalClient(tmp_path).close()
    (tmp_path / "journal").write_bytes(b"")
    assert found(tmp_path) == []
