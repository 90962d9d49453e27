"""A light trainer (numpy only) that writes down what it gets: a line a batch, and its cursor with the log's length.

Started again, it continues at the last saved cursor and cuts the log back to what it held then, as a checkpoint would.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path

import rankfeed

sys.path.append(str(Path(__file__).resolve().parents[1]))
from waiting import wait_until


def save(path: Path, state: dict) -> None:
    attempt = path.with_suffix(".attempt")
    with attempt.open("w") as out:
        json.dump(state, out)
        out.flush()
        os.fsync(out.fileno())
    attempt.rename(path)


def wait_at(gate: Path | None, step: int) -> None:
    """Waits until the number in the gate's file is above this step: a test holds trainers where it wants them."""
    if gate:
        wait_until(lambda: int(gate.read_text()) > step, f"the gate at step {step}", 120)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--feed", required=True)
    parser.add_argument("--save-every", type=int, default=1)
    parser.add_argument("--stop-after", type=int, help="leave after so many batches, cursor saved")
    parser.add_argument("--gate", type=Path, help="a file with the step that must not be reached yet")
    parser.add_argument("--columns", nargs="*")
    args = parser.parse_args()

    feed = rankfeed.Feed(feed=args.feed, output="numpy", columns=args.columns, wait_seconds=60)
    rank = feed.topology.rank
    args.out.mkdir(parents=True, exist_ok=True)
    log_path, cursor_path = args.out / f"rank-{rank}.log", args.out / f"rank-{rank}.cursor"
    with log_path.open("ab") as log:
        if cursor_path.exists():
            saved = json.loads(cursor_path.read_text())
            feed.load_state_dict(saved["feed"])
            log.truncate(saved["bytes"])
            log.seek(saved["bytes"])
        passes = feed.epochs if feed.kind == "train" else 1
        taken = 0
        while taken != args.stop_after:
            before = taken
            for batch in feed:
                wait_at(args.gate, batch.global_step)
                line = [batch.epoch, batch.step, batch["row_id"].tolist(), checksum(batch)]
                log.write((json.dumps(line) + "\n").encode())
                batch.release()
                taken += 1
                if taken % args.save_every == 0 or taken == args.stop_after:
                    log.flush()
                    os.fsync(log.fileno())
                    save(cursor_path, {"feed": feed.state_dict(), "bytes": log.tell()})
                if taken == args.stop_after:
                    break
            passes -= 1
            if taken == before or (feed.kind != "train" and passes == 0):
                break
    feed.close()


def checksum(batch) -> int:
    """A sum over every value of the batch, so that a torn batch does not pass for a whole one."""
    total = 0
    for name, values in batch.items():
        if name.endswith(".offsets") or values.dtype.kind not in "iub":
            continue
        total += int(values.astype("int64").sum())
    return total


if __name__ == "__main__":
    main()
