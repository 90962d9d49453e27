"""Ctrl-C while the worker processes of a transform start."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import pytest

from processes import HERE, SOURCES

COLUMNS = ["row_id", "tokens"]

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
    # A build in the background of a shell ignores SIGINT, and its children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    method, marks, draws, seed = sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
    for number in range(marks):
        (Path(sys.argv[1]) / str(number)).touch()
    if marks:
        made, steps, hits = None, [], 0
        while True:
            try:
                # On a busy machine the first worker interrupts before the feed is made.
                made = feed(method) if made is None else made
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
def test_ctrl_c_while_workers_start_keeps_the_feed_working(feeder, tmp_path, method, times):
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
