"""Measures the alternative without a plan: a JSON with one entry per row, indented by 2, that every rank loads. Prints
its bytes, seconds and memory."""

from __future__ import annotations

import json
import random
import sys
import time
from pathlib import Path


def write(path: Path, rows: int) -> None:
    dice = random.Random(42)
    with path.open("w") as out:
        out.write('{\n  "metadata": [')
        for row in range(rows):
            correct = "true" if dice.random() < 0.5 else "false"
            out.write(f'{"," if row else ""}\n    {{\n      "is_correct": {correct},\n      "difficulty": {dice.randrange(1, 12)}\n    }}')
        out.write('\n  ],\n  "stats": {}\n}\n')


def memory(which: str) -> int:
    """Returns VmRSS or VmHWM of this process in KiB. Unlike them, ru_maxrss is at least that of the parent process."""
    status = Path("/proc/self/status").read_text()
    return int(status.split(f"{which}:")[1].split()[0])


def load(path: Path) -> None:
    before = memory("VmRSS")
    started = time.perf_counter()
    metadata = json.loads(path.read_text())["metadata"]
    seconds = time.perf_counter() - started
    peak = (memory("VmHWM") - before) // 1024
    print(json.dumps({"rows": len(metadata), "bytes": path.stat().st_size, "load_s": round(seconds, 2), "peak_mib": peak}))


if __name__ == "__main__":
    target = Path(sys.argv[2])
    if sys.argv[1] == "write":
        write(target, int(sys.argv[3]))
    else:
        load(target)
