"""Keeps one logging trainer per rank alive until each has ended well; writes their pids next to the logs."""

from __future__ import annotations

import os
import subprocess
import sys
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
        ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT).si_pid
        (rank,) = (rank for rank, process in running.items() if process.pid == ended)
        if running.pop(rank).wait() != 0:
            running[rank] = start(rank, world, log, words)


if __name__ == "__main__":
    main()
