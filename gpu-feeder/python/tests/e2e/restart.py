"""Keeps one logging trainer per rank alive until each has ended well; writes their pids next to the logs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def start(rank: int, world: int, log: Path, words: list[str]) -> subprocess.Popen:
    env = {
        **os.environ,
        "RANK": str(rank),
        "LOCAL_RANK": str(rank),
        "WORLD_SIZE": str(world),
        "LOCAL_WORLD_SIZE": str(world),
    }
    process = subprocess.Popen([sys.executable, str(HERE / "log_rows.py"), "--out", str(log), *words], env=env)
    attempt = log / f"rank-{rank}.pid.attempt"
    attempt.write_text(str(process.pid))
    attempt.rename(log / f"rank-{rank}.pid")
    return process


def main() -> None:
    world, log, words = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    log.mkdir(parents=True, exist_ok=True)
    running = {rank: start(rank, world, log, words) for rank in range(world)}
    while running:
        for rank, process in list(running.items()):
            code = process.poll()
            if code == 0:
                del running[rank]
            elif code is not None:
                running[rank] = start(rank, world, log, words)
        time.sleep(0.01)


if __name__ == "__main__":
    main()
