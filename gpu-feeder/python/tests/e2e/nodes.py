"""Feeders and trainers as real processes on this machine; a node is a rendezvous folder and a cache of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from claims import Log
from launch import HERE, PROJECT

from waiting import wait_until


class Feeder:
    """Runs `rankfeed feed` of a version until the block ends; it must then leave no files."""

    def __init__(self, version: Path, runtime: Path, run: str, *words: object):
        self.runtime, self.run = runtime, run
        runtime.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.command = [str(PROJECT / "rankfeed"), "feed", str(version), "--run", run, *map(str, words)]
        self.env = environment(runtime, run)
        self.log = runtime / f"{run}.log"

    def start(self) -> Feeder:
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                self.command, env=self.env, stdout=log, stderr=subprocess.STDOUT, cwd=self.runtime
            )
        ready = self.folder / "feeder.json"
        wait_until(ready.exists, "the feeder", 90, self.process, lambda: self.log.read_text()[-3000:])
        return self

    @property
    def folder(self) -> Path:
        return self.runtime / "rankfeed" / self.run

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(60)

    def __enter__(self) -> Feeder:
        return self.start()

    def __exit__(self, kind, *_) -> None:
        code = self.stop()
        if kind is None:
            assert code == 143, f"the feeder ended with {code}: {self.log.read_text()[-3000:]}"
            assert not left_over(self.folder), f"left behind: {left_over(self.folder)}"


def environment(runtime: Path, run: str) -> dict[str, str]:
    return {
        **os.environ,
        "XDG_RUNTIME_DIR": str(runtime),
        "RANKFEED_RUN": run,
        "OMP_NUM_THREADS": "1",
        "RANKFEED_BUILD": "never",
    }


def left_over(rendezvous: Path) -> list[str]:
    """Lists segments, sockets and temporary files that a finished feeder of this rendezvous folder has left."""
    import hashlib

    mark = hashlib.sha256(str(rendezvous).encode()).hexdigest()[:8]
    segments = [str(path) for path in Path("/dev/shm").glob(f"rankfeed-*-{mark}-*")]
    return segments + ([str(path) for path in rendezvous.iterdir()] if rendezvous.exists() else [])


def trainers(env: dict[str, str], world: int, *words: object, ranks: range | None = None) -> list[subprocess.Popen]:
    """Starts one process per rank with torchrun's variables, which runs a script of this folder."""
    started = []
    for rank in ranks or range(world):
        mine = {
            **env,
            "RANK": str(rank),
            "LOCAL_RANK": str(rank),
            "WORLD_SIZE": str(world),
            "LOCAL_WORLD_SIZE": str(world),
        }
        started.append(
            subprocess.Popen(
                [sys.executable, *map(str, words)],
                env=mine,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
        )
    return started


def finish(processes: list[subprocess.Popen], timeout: float = 120) -> None:
    deadline = time.monotonic() + timeout
    try:
        for rank, process in enumerate(processes):
            said, _ = process.communicate(timeout=max(1, deadline - time.monotonic()))
            assert process.returncode == 0, f"trainer {rank} ended with {process.returncode}:\n{said[-3000:]}"
    finally:
        for process in processes:
            if process.poll() is None:
                process.kill()
                process.communicate()


def log_rows(env: dict[str, str], world: int, log: Path, feed: str, *words: object) -> Log:
    """Runs the logging trainer on every rank and returns what each was given."""
    finish(trainers(env, world, HERE / "log_rows.py", "--out", log, "--feed", feed, *words))
    return read_log(log, world)


def log_through_a_kill(
    fed: Path, folder: Path, feed: str, worlds: tuple[int, int], stop: int, words: list[object]
) -> tuple[Log, Log]:
    """Feeds so many steps to one world and kills the feeder with -9; another one feeds the rest to a world of another
    size, whose ranks all have the cursor of rank 0."""
    first = Feeder(fed, folder / "rt", "killed", *words, "--world", worlds[0]).start()
    try:
        before = log_rows(first.env, worlds[0], folder / "log", feed, "--stop-after", stop)
    finally:
        first.process.kill()
        first.process.wait()
    if stop:
        cursor = json.loads((folder / "log" / "rank-0.cursor").read_text()) | {"bytes": 0}
        (folder / "other").mkdir()
        for rank in range(worlds[1]):
            (folder / "other" / f"rank-{rank}.cursor").write_text(json.dumps(cursor))
    with Feeder(fed, folder / "rt", "killed", *words, "--world", worlds[1]) as second:
        return before, log_rows(second.env, worlds[1], folder / "other", feed)


def read_log(folder: Path, world: int) -> Log:
    return [
        [(e, s, tuple(rows)) for e, s, rows, _ in map(json.loads, (folder / f"rank-{rank}.log").open())]
        for rank in range(world)
    ]
