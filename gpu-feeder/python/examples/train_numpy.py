"""A light trainer, numpy only: writes the row ids of every step, and a cursor that survives any kill.

    rankfeed feed VERSION -- python train_numpy.py --log DIR --save-every 10

DIR/rank-N.log holds a line {"epoch", "step", "rows"} a batch, DIR/rank-N.cursor the feed's state and how long the log
was then. Started again, it cuts the log back to the cursor and continues, as a trainer goes back to its checkpoint.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from typing import Any

import rankfeed


class Log:
    """The log and the cursor of one rank. The log is on disk before a cursor that counts it is."""

    def __init__(self, folder: Path, rank: int):
        folder.mkdir(parents=True, exist_ok=True)
        self._cursor = folder / f"rank-{rank}.cursor"
        self._file = (folder / f"rank-{rank}.log").open("ab")

    def resume(self) -> dict[str, Any] | None:
        """Returns the feed's state at the last save, and truncates the log to it."""
        saved: dict[str, Any] = (
            json.loads(self._cursor.read_text()) if self._cursor.exists() else {"bytes": 0, "feed": None}
        )
        self._file.truncate(saved["bytes"])
        state: dict[str, Any] | None = saved["feed"]
        return state

    def write(self, batch: rankfeed.Batch) -> None:
        line = {"epoch": batch.epoch, "step": batch.step, "rows": batch["row_id"].tolist()}
        self._file.write(json.dumps(line).encode() + b"\n")

    def save(self, state: dict[str, Any]) -> None:
        self._file.flush()
        os.fsync(self._file.fileno())
        attempt = self._cursor.with_suffix(".attempt")
        with attempt.open("w") as file:
            json.dump({"bytes": os.fstat(self._file.fileno()).st_size, "feed": state}, file)
            file.flush()
            os.fsync(file.fileno())
        attempt.rename(self._cursor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--run", help="the run's name (default: RANKFEED_RUN, else the only run there is)")
    parser.add_argument("--feed", default="train")
    parser.add_argument("--log", type=Path, required=True)
    parser.add_argument("--save-every", type=int, default=1, help="steps between saves of the cursor")
    parser.add_argument("--wait", type=float, default=60, help="seconds to wait for a feeder that is not up yet")
    args = parser.parse_args()
    with rankfeed.Feed(args.run, feed=args.feed, columns=[], output="numpy", wait_seconds=args.wait) as feed:
        log = Log(args.log, feed.topology.rank)
        if (state := log.resume()) is not None:
            feed.load_state_dict(state)
        while True:
            epoch = feed.state_dict()["epoch"]
            for batch in feed:
                log.write(batch)
                if (batch.global_step + 1) % args.save_every == 0:
                    log.save(feed.state_dict())
            log.save(feed.state_dict())
            if feed.kind == "sequential" or epoch + 1 >= feed.epochs:
                break


if __name__ == "__main__":
    main()
