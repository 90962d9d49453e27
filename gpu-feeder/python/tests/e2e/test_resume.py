"""A stop at any step and a resume from the cursor give the uninterrupted sequence, at any world size."""

from __future__ import annotations

import json
import shutil

import pytest
from claims import Plan, assert_train_claims
from nodes import Feeder, log_rows


@pytest.fixture(scope="module")
def feeders(house, tmp_path_factory):
    runtime = tmp_path_factory.mktemp("rt")

    def start(world):
        return Feeder(house.path, runtime, f"resume-{world}", "--in-place", "--world", world)

    return start


@pytest.fixture(scope="module")
def whole(feeders, tmp_path_factory):
    """The uninterrupted run at world 1, 2 and 4."""
    runs = {}
    for world in (1, 2, 4):
        with feeders(world) as feeder:
            runs[world] = log_rows(feeder.env, world, tmp_path_factory.mktemp("whole"), "curriculum")
    return runs


def test_world_1_stopped_after_each_step_continues(feeders, whole, tmp_path):
    """A stop after every single batch: as many starts as steps, in one growing log."""
    with feeders(1) as feeder:
        steps = len(whole[1][0])
        log = []
        stops = [1, 2, 3, 5, 8, 13, steps - sum((1, 2, 3, 5, 8, 13))]
        for stop in stops:
            log = log_rows(feeder.env, 1, tmp_path, "curriculum", "--stop-after", stop)
        assert log == whole[1]


@pytest.mark.parametrize(("before", "after"), [(2, 4), (4, 1), pytest.param(1, 2, marks=pytest.mark.nightly)])
def test_cursor_of_one_world_resumes_at_another(house, feeders, whole, tmp_path, before, after):
    stop = 23
    with feeders(before) as feeder:
        log_rows(feeder.env, before, tmp_path / "before", "curriculum", "--stop-after", stop)
    state = json.loads((tmp_path / "before" / "rank-0.cursor").read_text())
    for rank in range(after):
        folder = tmp_path / "after"
        folder.mkdir(exist_ok=True)
        (folder / f"rank-{rank}.cursor").write_text(json.dumps({**state, "bytes": 0}))
    with feeders(after) as feeder:
        rest = log_rows(feeder.env, after, tmp_path / "after", "curriculum")
    assert rest == [rank[stop:] for rank in whole[after]]
    first = [rank[:stop] for rank in whole[after]]
    assert_train_claims(
        Plan(house.root, house.version, "curriculum"), [a + b for a, b in zip(first, rest, strict=True)]
    )
    shutil.rmtree(tmp_path)
