"""Runs one rank of a world: makes feeds, and takes the first batch of each.

Arguments: the number of feeds; "gloo", "fake" or "none". The fake group opens no connections, for a store that outlives
its workers: gloo may find the addresses of ended processes in it.
"""

from __future__ import annotations

import importlib
import os
import sys
from datetime import timedelta

import rankfeed


def run(feeds: int, backend: str) -> None:
    """Runs the rank, prints an error of the client, and ends the process."""
    try:
        main(feeds, backend)
        code = 0
    except rankfeed.RankfeedError as e:
        print(f"{type(e).__name__}: {e}", flush=True)
        code = 1
    os._exit(code)  # torch's CPU backend may hang or abort in destroy_process_group


def main(feeds: int, backend: str) -> None:
    import torch.distributed as dist

    timeout = timedelta(seconds=float(os.environ.get("GROUP_SECONDS", "60")))
    if backend == "fake":
        importlib.import_module("torch.testing._internal.distributed.fake_pg")
        store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), None, False, timeout)
        dist.init_process_group(
            "fake", store=store, rank=int(os.environ["RANK"]), world_size=int(os.environ["WORLD_SIZE"])
        )
    elif backend == "gloo":
        dist.init_process_group("gloo", timeout=timeout)
    for _ in range(feeds):
        with rankfeed.Feed(feed=os.environ.get("FEED", "train"), output="numpy") as feed:
            batch = next(iter(feed))
            print("took", feed.version, feed.plan, batch.step, flush=True)
            batch.release()
    if os.environ.get("FAILS_IN_START") == os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"):
        os._exit(7)


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2])
