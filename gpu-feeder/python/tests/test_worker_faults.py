"""Worker processes of a transform that hang, are stopped, or are interrupted while they start."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rankfeed
import sample_transforms as functions
from fake_rows import row_ids
from processes import HERE, SOURCES, wait_until
from rankfeed.transform import workers as processes

COLUMNS = ["row_id", "tokens"]
TIMEOUT_SECONDS = 2


def children() -> set[int]:
    """Worker processes of this one: those that its forkserver started."""
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


def test_a_worker_that_is_stopped_at_its_start_is_named_and_the_feed_can_be_closed(feeder, monkeypatch):
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


def test_the_time_of_a_transform_without_workers_is_no_data_wait(feeder):
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
        assert inside[0] <= first.transform_seconds <= first.seconds - first.waited_seconds
        assert sum(1 for _ in feed) == 5
        stats = feed.stats()
    assert len(inside) == 5
    assert sum(inside) <= stats.transform_seconds <= stats.seconds - stats.waited_seconds


# Its workers import it: the first of them interrupts the whole process group, as Ctrl-C in a terminal does.
INTERRUPTED = """
import os, random, signal, sys
from pathlib import Path

import sample_transforms as functions

if __name__ == "__mp_main__":
    for mark in sorted(Path(sys.argv[1]).glob("*")):
        try:
            mark.unlink()
        except FileNotFoundError:
            continue
        os.killpg(0, signal.SIGINT)
        break

import rankfeed

POINTS = tuple(os.sep + name + os.sep for name in ("multiprocessing", "transform"))


class Points:
    '''Counts the lines of the start; interrupts the group at one of them.'''

    def __init__(self, at):
        self.at, self.count = at, 0

    def __call__(self, frame, event, argument):
        if not any(name in frame.f_code.co_filename for name in POINTS):
            return None
        if event == "line":
            self.count += 1
            if self.count == self.at:
                sys.settrace(None)
                os.killpg(0, signal.SIGINT)
        return self

    def run(self, action):
        sys.settrace(self)
        try:
            return action()
        finally:
            sys.settrace(None)


def feed(method):
    import multiprocessing
    multiprocessing.set_start_method(method, force=True)
    return rankfeed.Feed(transform=functions.doubled, workers=2, output="numpy")


def use(made):
    return [batch.global_step for batch in made]


def interrupted(method, at):
    '''Starts, is interrupted at one point, and is used again: the steps seen, and whether it was interrupted.'''
    made, steps, hits = [], [], 0
    points = Points(at)

    def start():
        made.append(feed(method))
        iterator = iter(made[0])
        steps.append(next(iterator).global_step)

    try:
        points.run(start)
    except KeyboardInterrupt:
        hits = 1
    with made[0] if made else feed(method) as again:
        steps += use(again)
    return steps, hits, points.count


if __name__ == "__main__":
    method, marks, draws, seed = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
    for number in range(marks):
        (Path(sys.argv[1]) / str(number)).touch()
    if marks:
        made, steps, hits = feed(method), [], 0
        while True:
            try:
                steps += use(made)
                break
            except KeyboardInterrupt:
                hits += 1
        made.close()
        print(steps, hits)
        sys.exit()
    _, _, total = interrupted(method, -1)
    drawn = random.Random(seed)
    for _ in range(draws):
        at = drawn.randint(1, total)
        steps, hits, _ = interrupted(method, at)
        assert steps in ([0, 1, 2, 3, 4], [1, 2, 3, 4]), (at, steps)
        print("point", at, "of", total, "interrupted", hits)
"""


def run_interrupted(tmp_path, *arguments) -> str:
    script = tmp_path / "train.py"
    script.write_text(INTERRUPTED)
    (tmp_path / "marks").mkdir()
    environment = {**os.environ, "PYTHONPATH": f"{SOURCES}{os.pathsep}{HERE}"}
    done = subprocess.run(
        [sys.executable, script, tmp_path / "marks", *map(str, arguments)],
        check=False, capture_output=True, text=True, timeout=500, env=environment, start_new_session=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(("method", "times"), [("forkserver", 3), ("spawn", 1)])
def test_ctrl_c_while_workers_start_leaves_a_feed_that_works(feeder, tmp_path, method, times):
    feeder(slots=4, columns=COLUMNS, epochs=1)
    said = run_interrupted(tmp_path, method, times, 0, 0)
    steps, _, hits = said.strip().rpartition(" ")
    assert steps == "[0, 1, 2, 3, 4]"
    assert 1 <= int(hits) <= times


def drawn_points(feeder, tmp_path, method, draws) -> None:
    seed = int(os.environ.get("RANKFEED_SEED", random.SystemRandom().randrange(1 << 30)))
    print("seed", seed)
    feeder(slots=4, columns=COLUMNS, epochs=1)
    said = run_interrupted(tmp_path, method, 0, draws, seed).splitlines()
    print(*said, sep="\n")
    assert len(said) == draws
    assert draws < 10 or sum(int(line.rpartition(" ")[2]) for line in said) >= draws // 2


def test_ctrl_c_at_drawn_points_of_a_start(feeder, tmp_path):
    drawn_points(feeder, tmp_path, "forkserver", 3)


@pytest.mark.nightly
@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_ctrl_c_at_many_points_of_a_start(feeder, tmp_path, method):
    drawn_points(feeder, tmp_path, method, 60)
