"""Prints what the timers of feeder and client cost for a batch of the tokens benchmark, next to the same calls without them.

    timers.py RESULT.json [--batches N] [--rounds N] [--batch-micros X]

RESULT.json is JMH's of TimerBenchmark. Ends with 1 if a side costs more than 1 % of a batch.
"""

from __future__ import annotations

import argparse
import json
import sys
import timeit
from pathlib import Path
from time import perf_counter_ns
from types import SimpleNamespace
from typing import Any

from rankfeed.ring.stages import TABLE_BYTES, StageTable
from rankfeed.stats import Meter

BATCH_MICROS = 67.0
"""A batch of 256 rows at 3.8 M rows/s (bench/run tokens)."""

LIMIT = 0.01


class Off:
    """A meter whose calls do nothing."""

    def requested(self) -> None: ...

    def begin(self) -> None: ...

    def waited(self, _started_ns: int) -> None: ...

    def count(self, _batch: object) -> None: ...

    def handed(self) -> None: ...


def client(meter: Any, batches: int, rounds: int) -> float:
    """Microseconds of the calls for a batch that was not ready, as Feed and Attachment make them: the best round."""
    batch = SimpleNamespace(valid_rows=256, tokens=131_072, padded_tokens=131_072)
    clock = perf_counter_ns if isinstance(meter, Meter) else int

    def one() -> None:
        meter.requested()
        meter.begin()
        meter.waited(clock())
        meter.count(batch)
        meter.handed()

    return min(timeit.repeat(one, number=batches, repeat=rounds)) / batches * 1e6


def feeder(result: Path) -> tuple[float, float]:
    """Microseconds of a batch without and with timers."""
    scores = {one["benchmark"].rpartition(".")[2]: one["primaryMetric"]["score"] for one in json.loads(result.read_text())}
    return scores["off"] / 1e3, scores["batch"] / 1e3


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("result", type=Path)
    parser.add_argument("--batches", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--batch-micros", type=float, default=BATCH_MICROS)
    args = parser.parse_args()
    meter = Meter()
    meter.attached(StageTable(bytearray(TABLE_BYTES), 0))
    sides = {
        "feeder": feeder(args.result),
        "client": (client(Off(), args.batches, args.rounds), client(meter, args.batches, args.rounds)),
    }
    print(f"\n| side | timers off | timers on | cost | part of a batch of {args.batch_micros:g} µs |\n|---|---|---|---|---|")
    parts = []
    for side, (off, on) in sides.items():
        parts.append((on - off) / args.batch_micros)
        print(f"| {side} | {off:.2f} µs | {on:.2f} µs | {on - off:.2f} µs | {parts[-1]:.1%} |")
    return int(max(parts) > LIMIT)


if __name__ == "__main__":
    sys.exit(main())
