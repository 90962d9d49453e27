"""Worker processes of a transform that hang or are stopped."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

import rankfeed
import sample_transforms as functions
from fake_rows import row_ids
from processes import wait_until
from rankfeed.transform import workers as processes

COLUMNS = ["row_id", "tokens"]
TIMEOUT_SECONDS = 2


def children() -> set[int]:
    """Returns the worker processes of this one, which its forkserver started."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "stat").read_text().rpartition(")")[2].split()
            mine = b"forkserver" in (folder / "cmdline").read_bytes() and words[0] != "Z"
            parent = Path(f"/proc/{words[1]}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if mine and int(parent[1]) == os.getpid():
            found.add(int(folder.name))
    return found


def test_hung_and_stopped_workers_are_named_and_replaced(feeder):
    feeder(slots=3, columns=COLUMNS)
    before = children()
    seen = []
    with rankfeed.Feed(
        transform=functions.hangs_three_ways, workers=1, output="numpy", timeout=TIMEOUT_SECONDS
    ) as feed:
        for step in (1, 3, 4):
            with pytest.raises(rankfeed.TransformError) as caught:
                for batch in feed:
                    seen.append(batch.global_step)
            assert f"did not answer within {TIMEOUT_SECONDS} seconds and was killed at step {step}" in str(caught.value)
            rows = row_ids(step, 8, 0, 1)
            assert f"of epoch 0, row ids {', '.join(map(str, rows))}; a slower function" in str(caught.value)
            assert feed.state_dict()["step"] == step
            feed.seek(step + 1)
    assert seen == [0, 2]
    wait_until(lambda: children() == before, "the end of the workers")


def test_worker_stopped_at_its_start_is_named(feeder, monkeypatch):
    monkeypatch.setattr(processes, "_JOIN_SECONDS", 0.1)
    feeder(slots=4, columns=COLUMNS)
    before = children()
    with rankfeed.Feed(
        transform=functions.doubled, workers=2, worker_init=functions.stop_at_the_start, output="numpy", timeout=0.5
    ) as feed:
        for _ in range(2):
            with pytest.raises(
                rankfeed.TransformError,
                match=r"transform worker [01] \(process \d+\) did not answer within 0\.5 seconds and was killed before",
            ):
                next(iter(feed))
    wait_until(lambda: children() == before, "the end of the workers")


def test_a_feed_with_stopped_workers_can_be_closed(feeder, monkeypatch):
    monkeypatch.setattr(processes, "_JOIN_SECONDS", 0.1)
    feeder(slots=5, columns=COLUMNS)
    before = children()
    with rankfeed.Feed(transform=functions.doubled, workers=3, output="numpy") as feed:
        next(iter(feed))
        for process in children() - before:
            os.kill(process, signal.SIGSTOP)
    wait_until(lambda: children() == before, "the end of the workers")


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), "5", True])
def test_invalid_timeouts_are_refused(feeder, timeout):
    feeder(slots=4)
    with pytest.raises(rankfeed.RankfeedError, match="timeout="):
        rankfeed.Feed(transform=functions.doubled, workers=1, timeout=timeout, output="numpy")
    with pytest.raises(rankfeed.RankfeedError, match="timeout is for worker processes"):
        rankfeed.Feed(transform=functions.doubled, timeout=5, output="numpy")


def test_transform_time_without_workers_is_no_data_wait(feeder):
    feeder(slots=4, columns=COLUMNS)
    inside = []

    def timed(batch, rng):
        started = time.perf_counter()
        result = functions.doubled(batch, rng)
        inside.append(time.perf_counter() - started)
        return result

    with rankfeed.Feed(transform=timed, output="numpy") as feed:
        feed.peek()
        first = feed.stats()
        assert inside[0] <= first["transform_seconds"] <= first["seconds"] - first["waited_seconds"]
        assert sum(1 for _ in feed) == 5
        stats = feed.stats()
    assert len(inside) == 5
    assert sum(inside) <= stats["transform_seconds"] <= stats["seconds"] - stats["waited_seconds"]


@pytest.mark.parametrize("function", [functions.forks_and_raises, functions.forks_and_returns])
def test_child_forked_by_transform_gives_no_answer(feeder, function):
    feeder(slots=4, columns=COLUMNS)
    with rankfeed.Feed(transform=function, workers=1, output="numpy", timeout=TIMEOUT_SECONDS) as feed:
        seen = [(batch.global_step, batch["row_id"].tolist()) for batch in feed]
    assert seen == [(step, [*row_ids(step, 8, 0, 1)]) for step in range(5)]
