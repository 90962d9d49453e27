"""One rank of a loader. It answers its driver with one JSON object a line, and waits for a line before each step:

1. everything is imported, no data is opened
2. the first batch has come; then each value of an epoch is checked, and the first steps train a small model
3. the rows and the times of an epoch in which nothing is checked, each time that it is asked for one

With ``--log`` it writes each step to the file, continues after the last one that is there, and ends with the epoch;
with ``--stop`` it waits after that step, to be killed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from pathlib import Path

import loaders
import numpy as np
import torch
from shapes import SHAPES, Batch

LOSS_STEPS = 20


def send(**what: object) -> None:
    print(json.dumps(what), flush=True)


def receive() -> str:
    return sys.stdin.readline()


class Model:
    """A classifier over the bytes of one column."""

    def __init__(self) -> None:
        torch.manual_seed(5)
        self.embed, self.head = torch.nn.Embedding(256, 16), torch.nn.Linear(16, 1)
        self.optimizer = torch.optim.SGD([*self.embed.parameters(), *self.head.parameters()], lr=0.5)

    def loss(self, batch: Batch) -> str:
        """Trains with the batch; returns every bit of its loss."""
        ids, lengths = batch["output_ids"].long(), batch["output_ids.lengths"]
        mask = (torch.arange(ids.shape[1])[None, :] < lengths[:, None]).unsqueeze(2)
        mean = (self.embed(ids) * mask).sum(1) / lengths.clamp(min=1)[:, None]
        labels = batch["is_correct"].float()
        loss = torch.nn.functional.binary_cross_entropy_with_logits(self.head(mean).squeeze(1), labels)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item().hex()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shape", choices=SHAPES)
    parser.add_argument("loader", choices=loaders.LOADERS)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rank", type=int, required=True)
    parser.add_argument("--world", type=int, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--run", default="bench")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--stop", type=int, default=-1)
    args = parser.parse_args()

    shape = SHAPES[args.shape]
    shape.batch = args.batch
    loaders.import_libraries(args.loader)
    order = np.load(args.data / "order.npy")
    steps = len(order) // (args.world * shape.batch)
    mine = order[args.rank :: args.world]
    expected = np.load(args.data / "checksums.npy")[mine]
    has_labels, losses = "is_correct" in shape.columns, []
    if has_labels:  # torch allocates at the first training step
        row = {"instruction": "", "input": "", "output": "x" * 512, "is_correct": True, "difficulty": 1}
        Model().loss(shape.collate([row] * shape.batch))
    model = Model() if has_labels and not args.log else None
    log = os.open(args.log, os.O_CREAT | os.O_WRONLY | os.O_APPEND) if args.log else None
    start = int(args.log.read_text().split()[-1]) + 1 if log is not None and args.log.stat().st_size else 0
    send(ready=True)
    receive()

    def require(came: int, wanted: int) -> None:
        if came != wanted:
            sys.exit(f"{args.loader}, rank {args.rank}: an epoch ended after {came} of {wanted} batches")

    loader = loaders.opened(args.loader, shape, args.data, mine.tolist(), args.run, args.rank, args.world)
    step = start - 1
    for step, batch in zip(range(start, steps), loader.epoch(start), strict=False):
        if step == start:
            send(first=time.monotonic())
        found, at = shape.checksums(batch), step * shape.batch
        if found != expected[at : at + shape.batch].tolist():
            sys.exit(f"{args.loader}, rank {args.rank}: wrong values or rows in step {step}")
        if model is not None and step < LOSS_STEPS:
            losses.append(model.loss(batch))
        if log is not None:
            os.write(log, f"{step}\n".encode())
        if step == args.stop:
            send(stopped=step)
            receive()
    if log is None:
        require(step + 1, steps)
    del batch
    send(losses=losses)
    while receive():
        began = time.monotonic()
        taken = sum(1 for _ in zip(range(steps), loader.epoch(0), strict=False))
        require(taken, steps)
        send(began=began, ended=time.monotonic(), rows=taken * shape.batch)
    os._exit(0)  # without waiting for worker processes


if __name__ == "__main__":
    main()
