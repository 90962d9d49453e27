"""Fixtures: a private rendezvous per test, fake feeders in it, and nothing left in /dev/shm afterwards."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fake_feeder import DEFAULTS

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src"
DEADLINE_SECONDS = 60
RUN = "test-run"


def wait_until(condition, what: str):
    """Polls until the condition gives something true, which is returned; fails after the deadline."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"waited {DEADLINE_SECONDS} s for {what}"
        time.sleep(0.002)
    return found


class Running:
    """One fake feeder process and the log of its connections."""

    def __init__(self, folder: Path, config: dict):
        self.config = {**DEFAULTS, **config}
        self.log = Path(config["log"])
        file = folder / f"fake-{time.monotonic_ns()}.json"
        file.write_text(json.dumps(config))
        self.process = subprocess.Popen([sys.executable, HERE / "fake_feeder.py", file], stdout=subprocess.PIPE)
        assert self.process.stdout.readline() == b"ready\n"

    def events(self, event: str) -> list[dict]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [facts for facts in map(json.loads, lines) if facts["event"] == event]

    def wait_for(self, event: str, count: int = 1) -> list[dict]:
        return wait_until(lambda: (found := self.events(event)) and len(found) >= count and found, f"{count} {event}")

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(DEADLINE_SECONDS)
        self.process.stdout.close()


@pytest.fixture
def feeder(tmp_path, monkeypatch):
    """Starts fake feeders: ``feeder(slots=2, …)``. The client's environment is pointed at their rendezvous."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("RANKFEED_RUN", RUN)
    for name in (
        "RANK",
        "WORLD_SIZE",
        "LOCAL_RANK",
        "LOCAL_WORLD_SIZE",
        "SLURM_PROCID",
        "SLURM_NTASKS",
        "RANKFEED_WAIT_SECONDS",
    ):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "rankfeed").mkdir(mode=0o700)
    directory = tmp_path / "rankfeed" / RUN
    started = []

    def start(**config) -> Running:
        common = {"directory": str(directory), "log": str(tmp_path / "events.jsonl")}
        started.append(Running(tmp_path, {**common, **config}))
        return started[-1]

    yield start
    for running in started:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()
            running.process.stdout.close()
    mark = f"-{hashlib.sha256(str(directory).encode()).hexdigest()[:8]}-"
    for name in os.listdir("/dev/shm"):
        if mark in name:
            os.unlink(f"/dev/shm/{name}")


def child(code: str, *arguments: object, **keywords) -> subprocess.Popen:
    """A Python process with the client and the tests' modules at hand."""
    environment = {**os.environ, "PYTHONPATH": f"{SOURCES}{os.pathsep}{HERE}"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, **keywords)
