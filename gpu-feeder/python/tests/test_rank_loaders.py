"""The loaders of `bench/run ranks`: each gives every value of its rank's rows, in order, from any step on."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
import pytest

RANKS = Path(__file__).parents[3] / "bench" / "ranks"
ROWS, WORLD = 300, 2


@pytest.fixture(scope="module")
def ranks():
    """The modules of the benchmark."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(RANKS))
        import loaders
        import shapes

        yield loaders, shapes.SHAPES
        for name in ("loaders", "shapes"):
            del sys.modules[name]


@pytest.fixture(scope="module")
def tables(ranks, tmp_path_factory):
    """A folder for each shape, with ROWS rows and, between the contests, rows of another split."""
    _, shapes = ranks
    folders = {name: tmp_path_factory.mktemp(name) for name in shapes}
    lines = []
    for number in range(ROWS + 50):
        row = {
            "split": "train" if number % 7 else "valid",
            "is_correct": number % 3 == 0,
            "difficulty": number % 12 - 1,
        }
        row |= {"instruction": f"Größe {number}\n" * (number % 60), "input": "7\n" if number % 2 else ""}
        lines.append(json.dumps(row | {"output": "x" * number}) + "\n")
    shapes["contests"].write_lines(folders["contests"], lines)
    shapes["strings"].write(folders["strings"], ROWS)
    return folders


@pytest.mark.parametrize("name", ["everything", "own rows", "hf-datasets", "workers", "pandas"])
@pytest.mark.parametrize("kind", ["contests", "strings"])
def test_each_rank_gets_its_rows_in_order(ranks, tables, name, kind, monkeypatch):
    loaders, shapes = ranks
    shape, folder, rank = shapes[kind], tables[kind], 1
    monkeypatch.setattr(type(shape), "batch", 16)
    mine = np.load(folder / "order.npy")[rank::WORLD]
    wanted = np.load(folder / "checksums.npy")[mine].tolist()
    loader = loaders.opened(name, shape, folder, mine.tolist(), "", rank, WORLD)
    for start in (0, 3, 0):
        found = [row for batch in loader.epoch(start) for row in shape.checksums(batch)]
        assert found == wanted[16 * start : len(wanted) // 16 * 16]


def test_a_changed_value_changes_the_checksum(ranks, tables):
    _, shapes = ranks
    for kind, folder in tables.items():
        shape = shapes[kind]
        batch = shape.collate(shape.everything(folder)[:8])
        before = shape.checksums(batch)
        for column in shape.columns:
            batch[column].view(-1)[0] += 1
            assert shape.checksums(batch) != before, column
            batch[column].view(-1)[0] -= 1
        assert shape.checksums(batch) == before
