"""The processes of one loader: a rank each, and rankfeed's feeder; what memory they have and how much they read."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import psutil

HERE = Path(__file__).resolve().parent


class Rank:
    """A process that answers with lines of JSON; see rank.py."""

    def __init__(self, words: Iterable[object], env: dict[str, str]):
        command = [sys.executable, HERE / "rank.py", *map(str, words)]
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def send(self, word: str = "go") -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{word}\n")
        self.process.stdin.flush()

    def receive(self) -> dict:
        """Waits for its next answer."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"a rank ended with {self.process.wait()}: {' '.join(map(str, self.process.args))}")
        return json.loads(line)

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(60)


def feeder(home: Path, version: Path, cache: Path, world: int, env: dict[str, str]) -> subprocess.Popen:
    words = ["feed", version, "--run", "bench", "--world", str(world), "--cache", cache, "--feeds", "train"]
    return subprocess.Popen([home / "rankfeed", *words], env=env, stdout=subprocess.DEVNULL, stderr=sys.stderr)


def with_children(processes: Iterable[subprocess.Popen]) -> list[psutil.Process]:
    found = [psutil.Process(process.pid) for process in processes if process.poll() is None]
    return [one for process in found for one in (process, *process.children(recursive=True))]


def kill(processes: list[subprocess.Popen]) -> None:
    """Kills them and their children at once."""
    for process in with_children(processes):
        with contextlib.suppress(psutil.NoSuchProcess):
            process.kill()
    for one in processes:
        one.wait(60)


def usage(processes: Iterable[subprocess.Popen]) -> Counter:
    """Returns the bytes of the proportional set size (Pss, Pss_Anon, Pss_File, Pss_Shmem), and what was read: rchar and
    wchar, by calls, and read_bytes, from a disk; summed up over the processes and their children."""
    total: Counter = Counter()
    for process in with_children(processes):
        for line in Path(f"/proc/{process.pid}/smaps_rollup").read_text().splitlines()[1:]:
            name, kib = line.split()[:2]
            if name.startswith("Pss"):
                total[name.rstrip(":")] += int(kib) * 1024
        for line in Path(f"/proc/{process.pid}/io").read_text().splitlines():
            name, count = line.split()
            total[name.rstrip(":")] += int(count)
    return total


def read_by_children() -> int:
    """Returns the bytes that this process and the processes that it waited for have read by calls."""
    return int(Path("/proc/self/io").read_text().split()[1])
