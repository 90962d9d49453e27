"""Measures what the timers of the Python client cost for each batch."""

from __future__ import annotations

import timeit
from time import perf_counter_ns
from types import SimpleNamespace

from rankfeed.ring.stages import TABLE_BYTES, StageTable
from rankfeed.stats import Meter

ROUNDS = 9
BATCHES = 50_000


def main() -> None:
    meter = Meter()
    meter.attached(StageTable(bytearray(TABLE_BYTES), 0))
    batch = SimpleNamespace(valid_rows=256, tokens=131_072, padded_tokens=131_072)

    def timed() -> None:
        """The calls for a batch that was not ready, as Feed and Attachment make them."""
        meter.requested()
        meter.begin()
        started = perf_counter_ns()
        meter.waited_ns += perf_counter_ns() - started
        meter.count(batch)
        meter.handed()

    best = min(timeit.repeat(timed, number=BATCHES, repeat=ROUNDS)) / BATCHES
    print(f"{best * 1e6:.2f} µs for each batch, the best of {ROUNDS} rounds of {BATCHES:,} batches")


if __name__ == "__main__":
    main()
