"""Fixtures: a private rendezvous per test, fake feeders in it, and nothing left in /dev/shm afterwards."""

from __future__ import annotations

import hashlib
import os
import signal
from multiprocessing import forkserver

import pytest

from processes import FORKS, RUN, Running


def pytest_collection_finish():
    """Starts the process that imports fake feeders once, and of which they are forks."""
    preloaded("fake_feeder")


def preloaded(*modules: str) -> None:
    FORKS.set_forkserver_preload(list(modules))
    forkserver.ensure_running()


@pytest.fixture(scope="session")
def torch_forks():
    """Starts the process again with torch, whose import takes longer than the tests of torch trainers."""
    forkserver._forkserver._stop()
    preloaded("fake_feeder", "torch._dynamo")


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
        started.append(Running({**common, **config}))
        return started[-1]

    yield start
    for running in started:
        running.stop(signal.SIGKILL)
    mark = f"-{hashlib.sha256(str(directory).encode()).hexdigest()[:8]}-"
    for name in os.listdir("/dev/shm"):
        if mark in name:
            os.unlink(f"/dev/shm/{name}")
