"""Starts real processes for tests: a fake feeder, or a child with the client."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path

import fake_feeder
from fake_feeder import DEFAULTS
from waiting import DEADLINE_SECONDS, wait_until

HERE = Path(__file__).parent
SOURCES = HERE.parent / "src"
RUN = "test-run"
FORKS = multiprocessing.get_context("forkserver")
"""Processes forked from one that has imported what they need: a start takes milliseconds, not seconds."""


class Running:
    """One fake feeder process and the log of its connections."""

    def __init__(self, config: dict):
        self.config = {**DEFAULTS, **config}
        self.log = Path(config["log"])
        ready, reported = FORKS.Pipe(duplex=False)
        self.process = FORKS.Process(target=fake_feeder.main, args=(self.config, reported), daemon=True)
        self.process.start()
        reported.close()
        with ready:
            assert ready.poll(DEADLINE_SECONDS)
            assert ready.recv() == "ready"

    def events(self, event: str) -> list[dict]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [facts for facts in map(json.loads, lines) if facts["event"] == event]

    def wait_for(self, event: str, count: int = 1) -> list[dict]:
        return wait_until(lambda: (found := self.events(event)) and len(found) >= count and found, f"{count} {event}")

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.process.exitcode is None:
            os.kill(self.process.pid, number)
        self.process.join(DEADLINE_SECONDS)
        assert self.process.exitcode is not None


def forked(target: Callable[..., None], environment: dict[str, str], said: Path, *arguments: object) -> BaseProcess:
    """Starts a fork of the process that has imported what the tests share. It has this environment; `said` gets its
    standard output."""
    process = FORKS.Process(target=_within, args=(target, environment, said, arguments), daemon=True)
    process.start()
    return process


def _within(target: Callable[..., None], environment: dict[str, str], said: Path, arguments: tuple) -> None:
    os.environ.clear()
    os.environ.update(environment)
    with said.open("wb") as out, open(os.devnull, "wb") as nothing:
        os.dup2(out.fileno(), 1)
        os.dup2(nothing.fileno(), 2)
    target(*arguments)


def child(code: str, *arguments: object, **keywords) -> subprocess.Popen:
    """Starts a Python process that can import the client and the tests' modules."""
    environment = {**os.environ, "PYTHONPATH": f"{SOURCES}{os.pathsep}{HERE}"}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, **keywords)
