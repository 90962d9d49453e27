"""Starts the ranks of this machine, numpy only, and counts what each of them is fed.

    rankfeed feed VERSION --world 4 -- python count_numpy.py --ranks 4

Prints rows, steps and rows per second of each rank in its first epoch, and how many different rows came to all.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.synchronize import Barrier

import rankfeed

everyone: Barrier


def start(barrier: Barrier) -> None:
    """Starts once in each process, where ``count`` waits until all ranks have started."""
    global everyone  # noqa: PLW0603
    everyone = barrier


def count(rank: int, world: int) -> tuple[set[int], dict[str, float]]:
    """Counts the rows and the speed of one rank's first epoch."""
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(world), LOCAL_RANK=str(rank), LOCAL_WORLD_SIZE=str(world))
    everyone.wait(timeout=60)
    rows: set[int] = set()
    with rankfeed.Feed(output="numpy") as feed:
        for batch in feed:
            rows.update(batch["row_id"].tolist())
        return rows, feed.stats()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=4, help="how many to start")
    world = parser.parse_args().ranks
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(world, context, start, (context.Barrier(world),)) as pool:
        counted = list(pool.map(count, range(world), [world] * world))
    for rank, (_, stats) in enumerate(counted):
        rate = stats["rows"] / stats["seconds"]
        print(f"rank {rank}: {stats['rows']:,} rows in {stats['batches']} steps, {rate:,.0f} rows/s")
    different = len(set().union(*(rows for rows, _ in counted)))
    print(f"{sum(stats['rows'] for _, stats in counted):,} rows in all, {different:,} of them different")


if __name__ == "__main__":
    main()
