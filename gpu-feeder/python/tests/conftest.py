"""Fixtures: a private rendezvous per test, fake feeders in it, and nothing left in /dev/shm afterwards."""

from __future__ import annotations

import hashlib
import os
import signal
from multiprocessing import forkserver

import pytest

from processes import FORKS, RUN, Running


def pytest_collection_finish(session):
    """Imports the modules that the tests' processes share once, and torch only if a test runs a torch trainer."""
    needs_torch = any(item.get_closest_marker("torch_trainer") for item in session.items)
    FORKS.set_forkserver_preload(["fake_feeder", *(["torch._dynamo"] if needs_torch else [])])
    forkserver.ensure_running()


def pytest_collection_modifyitems(items):
    """Sorts tests that do not fork first, so that the others find everything imported."""
    items.sort(key=lambda item: "feeder" in item.fixturenames)


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
