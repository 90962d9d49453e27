"""Takes the batches of one rank's feed as fast as they come, epoch after epoch. ``rankfeed bench`` runs it, and
``rankfeed diagnose`` where no trainer is given.

    python -m rankfeed.drain FEED RANK WORLD
"""

from __future__ import annotations

import sys

from rankfeed import Feed


def drain(feed: str, rank: int, world: int) -> int:
    """Returns the number of batches of the run."""
    batches = 0
    with Feed(feed=feed, rank=rank, world=world, local_rank=rank, local_world=world, device="cpu") as batches_of_rank:
        seen = -1
        while seen < batches:
            seen = batches
            for _ in batches_of_rank:
                batches += 1
    return batches


if __name__ == "__main__":
    drain(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
