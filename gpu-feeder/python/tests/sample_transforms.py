"""Functions for ``Feed(transform=…)`` in worker processes, which import this module."""

from __future__ import annotations

import os
import signal
from multiprocessing import connection
from pathlib import Path

import numpy as np

_STATE: dict[str, int] = {}


def remember_number(number: int) -> None:
    _STATE["number"] = number


def refuse_to_start(number: int) -> None:
    raise ValueError(f"no licence for worker {number}")


def doubled(batch, rng):
    lengths = batch["tokens.lengths"]
    return {
        "row_id": batch["row_id"],
        "twice": batch["tokens"] * 2,
        "lengths": lengths,
        "noise": rng.uniform(2),
        "normal": np.array([generator.normal() for generator in rng], np.float32),
        "seeds": rng.seeds,
        "worker": np.array([_STATE.get("number", -1), os.getpid()]),
    }


def doubled_ids(batch, _rng):
    return {**batch, "input_ids": batch["input_ids"] * 2}


def in_place(batch, rng):
    batch["tokens"] += 1
    batch["half"] = batch["half"].copy()
    return batch


def growing(batch, rng):
    """Returns arrays of 0 bytes up to 2 MB, and back."""
    count = [0, 1, 1000, 500_000, 3, 0][int(batch["row_id"][0]) // 8 % 6]
    return {"row_id": batch["row_id"], "many": np.arange(count, dtype=np.int32)}


def shortened(batch, rng, names):
    """Returns five rows of the batch."""
    return {name: array[:5] if name in names else array for name, array in batch.items()}


def fails_at_row_16(batch, rng):
    if 16 in batch["row_id"]:
        raise KeyError("a defect of the function")
    return batch


def dies_at_row_16(batch, rng):
    if 16 in batch["row_id"]:
        os.kill(os.getpid(), signal.SIGKILL)
    return batch


def exits_at_row_16(batch, rng):
    if 16 in batch["row_id"]:
        os._exit(7)
    return batch


def returns_text(batch, rng):
    return {"words": np.array(["a", "b"])}


def returns_a_list(batch, rng):
    return [1, 2]


def floats(batch, rng):
    return {"image": batch["image"].astype(np.float32)}


def never_returns(batch, rng):
    Path(os.environ["PID_FILE"]).write_text(str(os.getpid()))
    while True:
        pass


def large_images(batch, rng):
    return {"pixels": np.full((len(batch["row_id"]), 4, 4, 3), 255, np.uint8)}


def seeds(batch, rng):
    return {**batch, "seeds": rng.seeds, "noise": rng.uniform(3)}


def _send_a_part(self, buffer, write=os.write):
    """Replaces a method that sends the length of a message, and then the message."""
    write(self._handle, buffer[:1000])
    if len(buffer) > 1000:
        os.kill(os.getpid(), signal.SIGSTOP)


def hangs_three_ways(batch, rng):
    """Step 1 never returns, step 3 stops its process, step 4 stops it in the middle of its answer."""
    step = int(batch["row_id"][0]) // 8
    if step == 1:
        signal.pause()
    if step == 3:
        os.kill(os.getpid(), signal.SIGSTOP)
    if step == 4:
        connection.Connection._send = _send_a_part
        raise ValueError("x" * (1 << 20))
    return batch


def stop_at_the_start(number: int) -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def forks_and_raises(batch, rng):
    """At step 1 it forks a child, which raises first."""
    if int(batch["row_id"][0]) // 8 == 1:
        child = os.fork()
        if not child:
            raise ValueError("of the child")
        os.waitpid(child, 0)
    return batch


def forks_and_returns(batch, rng):
    """At step 1 it forks a child, which returns first, and unlike its parent does not wait."""
    if int(batch["row_id"][0]) // 8 == 1:
        child = os.fork()
        if child:
            os.waitpid(child, 0)
    return batch
