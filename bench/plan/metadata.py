"""Measures the alternative without a plan: a JSON with one entry per row, indented by 2, that every rank loads. Prints
its bytes, seconds and memory."""

from __future__ import annotations

import json
import random
import resource
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


def load(path: Path) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    started = time.perf_counter()
    metadata = json.loads(path.read_text())["metadata"]
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(json.dumps({"rows": len(metadata), "bytes": path.stat().st_size, "load_s": round(seconds, 2), "peak_mib": (peak - before) // 1024}))


if __name__ == "__main__":
    target = Path(sys.argv[2])
    if sys.argv[1] == "write":
        write(target, int(sys.argv[3]))
    else:
        load(target)
