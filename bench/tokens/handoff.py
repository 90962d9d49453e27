"""Measures the time from the request of a batch to the batch, for batches whose copies take no time."""

from __future__ import annotations

import argparse
import json
import statistics
import time

import rankfeed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    args = parser.parse_args()
    micros = []
    with rankfeed.Feed(args.run, feed="small", output="numpy", columns=["tokens"], rank=0, world=1) as feed:
        batches = iter(feed)
        for _ in range(min(10_000, len(feed))):
            begin = time.perf_counter_ns()
            batch = next(batches)
            micros.append((time.perf_counter_ns() - begin) / 1000)
            batch.release()
    micros = micros[len(micros) // 10 :]
    micros.sort()
    print(json.dumps({"batches": len(micros), "medianMicros": statistics.median(micros), "p99Micros": micros[int(len(micros) * 0.99)]}))


if __name__ == "__main__":
    main()
