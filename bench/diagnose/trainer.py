"""Takes all batches of a feed, and computes for some milliseconds after each. Prints the rows per second of each phase as a JSON line.

With several numbers of milliseconds the batches are divided into that many phases.
"""

from __future__ import annotations

import argparse
import json
import time

import rankfeed


def compute(millis: float) -> None:
    end = time.perf_counter() + millis / 1e3
    while time.perf_counter() < end:
        pass


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("millis", type=float, nargs="+")
    parser.add_argument("--warmup", type=int, default=20, help="first batches of each phase, which are not counted")
    args = parser.parse_args()
    with rankfeed.Feed(output="numpy") as feed:
        phase = -(-feed.epochs * len(feed) // len(args.millis))
        if not 0 < args.warmup < phase:
            parser.error(f"--warmup {args.warmup} must be at least 1 and less than the {phase} batches of a phase")
        rates, rows, taken, start = [], 0, 0, time.perf_counter()
        for _ in range(feed.epochs):
            for batch in feed:
                rows += batch.valid_rows
                compute(args.millis[taken // phase])
                taken += 1
                if taken % phase == args.warmup:
                    rows, start = 0, time.perf_counter()
                if taken % phase == 0 or taken == feed.epochs * len(feed):
                    rates.append(rows / (time.perf_counter() - start))
    print(json.dumps({"rates": rates}), flush=True)


if __name__ == "__main__":
    main()
