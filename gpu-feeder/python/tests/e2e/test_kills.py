"""kill -9 of trainers and of the feeder, in turn: counted from the cursors nothing is lost or doubled."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from claims import Plan, assert_train_claims
from nodes import HERE, PROJECT, Feeder, environment, left_over, log_rows, read_log

from waiting import wait_until

WORLD = 2


class Run:
    """`rankfeed feed … -- restart.py`, with a gate that lets the trainers continue a few steps at a time."""

    def __init__(self, house, runtime: Path, folder: Path):
        self.rendezvous = runtime / "rankfeed" / "kills"
        self.log = folder / "log"
        self.gate = folder / "gate"
        self.open_gate(1)
        self.said = (folder / "said.txt").open("w+")
        self.process = subprocess.Popen(
            [
                PROJECT / "rankfeed", "feed", house.path, "--run", "kills", "--in-place", "--world", str(WORLD), "--",
                sys.executable, HERE / "restart.py", str(WORLD), self.log, "--feed", "plain", "--gate", self.gate,
            ],
            env=environment(runtime, "kills"), stdout=self.said, stderr=subprocess.STDOUT, cwd=folder,
        )  # fmt: skip

    def open_gate(self, step: int) -> None:
        attempt = self.gate.with_suffix(".attempt")
        attempt.write_text(str(step))
        attempt.rename(self.gate)

    def step(self, rank: int) -> int:
        """Returns the global step of the rank's saved cursor."""
        path = self.log / f"rank-{rank}.cursor"
        if not path.exists():
            return 0
        state = json.loads(path.read_text())["feed"]
        return state["epoch"] * self.steps_per_epoch + state["step"]

    def wait_for(self, step: int) -> None:
        def has_come() -> bool:
            return min(self.step(rank) for rank in range(WORLD)) >= step

        wait_until(has_come, f"step {step}", process=self.process, log=self.tail)

    def tail(self) -> str:
        self.said.seek(0)
        return self.said.read()[-4000:]

    def feeder_pid(self) -> int | None:
        try:
            return json.loads((self.rendezvous / "feeder.json").read_text())["pid"]
        except (FileNotFoundError, ValueError):
            return None

    def trainer_pid(self, rank: int) -> int:
        return int((self.log / f"rank-{rank}.pid").read_text())

    def kill_one(self, victim: str, chance: random.Random, dead: set[int]) -> int | None:
        """Kills the feeder or a trainer, unless it is dead already; returns its pid, or None."""
        pid = self.feeder_pid() if victim == "feeder" else self.trainer_pid(chance.randrange(WORLD))
        return pid if pid not in dead and kill(pid) else None


def kill(pid: int | None) -> bool:
    try:
        os.kill(pid or -1, signal.SIGKILL) if pid else None
    except ProcessLookupError:
        return False
    return pid is not None


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.nightly)])
def test_kills_leave_the_sequence_as_it_was(house, runtime, tmp_path, kills):
    plan = Plan(house.root, house.version, "plain")
    with Feeder(house.path, runtime, "whole", "--in-place", "--world", WORLD) as feeder:
        whole = log_rows(feeder.env, WORLD, tmp_path / "whole", "plain")
        whole_lines = [(tmp_path / "whole" / f"rank-{rank}.log").read_bytes() for rank in range(WORLD)]

    chance = random.Random(20)
    run = Run(house, runtime, tmp_path)
    run.steps_per_epoch = plan.feed["stepsPerEpoch"]
    total = plan.feed["epochs"] * run.steps_per_epoch
    victims = ["feeder", "trainer"] * kills
    chance.shuffle(victims)
    killed = {"feeder": 0, "trainer": 0}
    dead: set[int] = set()
    try:
        for number, victim in enumerate(victims):
            step = (number + 1) * total // (len(victims) + 2)
            run.open_gate(step)
            run.wait_for(step)
            run.open_gate(step + 2)
            # The seed chooses the moment: in a fill, in a hand-over, in a restart.
            time.sleep(chance.random() * 0.02)
            dead.add(wait_until(lambda victim=victim: run.kill_one(victim, chance, dead), f"a live {victim}", 30))
            killed[victim] += 1
        run.open_gate(total + 1)
        assert run.process.wait(120) == 0, run.tail()
    finally:
        if run.process.poll() is None:
            run.process.send_signal(signal.SIGTERM)
            run.process.wait(30)
    assert killed == {"feeder": kills, "trainer": kills}
    log = read_log(run.log, WORLD)
    assert log == whole
    assert [(run.log / f"rank-{rank}.log").read_bytes() for rank in range(WORLD)] == whole_lines, "a batch was torn"
    assert_train_claims(plan, log)
    assert not left_over(run.rendezvous)
