"""One loader and one model in a process: steps to warm up, then timed steps. One JSON line.

Every loader gives shuffled batches on the GPU, with workers that work ahead. ``resident`` repeats one batch that is
there: the limit of the model. ``numpy`` gathers tokens in the trainer's process. Tokens are checked in the timed steps
too: no row may come twice in an epoch.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from models import make
from rows import CLASSES, file

MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
SIDE = 224
Batches = Iterator[dict[str, torch.Tensor]]


def on_device(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to("cuda", non_blocking=True)


class Normalized:
    """Bytes [rows, 224, 224, 3] on the device to bfloat16, channels last, as rankfeed computes it."""

    def __init__(self) -> None:
        mean, std = np.asarray(MEAN), np.asarray(STD)
        self.scale = torch.tensor(1 / (255 * std), dtype=torch.float32, device="cuda")
        self.bias = torch.tensor(-mean / std, dtype=torch.float32, device="cuda")

    def __call__(self, pixels: torch.Tensor) -> torch.Tensor:
        return torch.addcmul(self.bias, pixels, self.scale).to(torch.bfloat16).permute(0, 3, 1, 2)


class Tokens(torch.utils.data.Dataset):
    def __init__(self, data: Path, item: bool):
        self.data, self.item = data, item
        self.rows = np.load(data / "tokens.npy", mmap_mode="r")
        if not item:
            self.__getitems__ = lambda numbers: torch.from_numpy(self.rows[np.asarray(numbers)])

    def __len__(self) -> int:
        return len(self.rows)

    def __getitem__(self, number: int) -> torch.Tensor:
        return torch.from_numpy(self.rows[number].copy())


class Images(torch.utils.data.Dataset):
    def __init__(self, data: Path, rows: int):
        self.data, self.rows = data, rows

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, number: int) -> tuple[torch.Tensor, int]:
        import cv2

        cv2.setNumThreads(0)
        image = cv2.imdecode(np.fromfile(file(number, self.data), np.uint8), cv2.IMREAD_COLOR_RGB)
        image = cv2.resize(image, (SIDE, SIDE))
        if torch.rand(()) < 0.5:
            image = cv2.flip(image, 1)
        return torch.from_numpy(image), number % CLASSES


def whole(batch: torch.Tensor) -> torch.Tensor:
    return batch


def dataloader(work: str, data: Path, rows: int, batch: int, kind: str, workers: int) -> Batches:
    dataset = Images(data, rows) if work == "images" else Tokens(data, kind == "item")
    collate = {"collate_fn": whole} if kind == "batched" else {}
    loader = torch.utils.data.DataLoader(
        dataset,
        batch,
        shuffle=True,
        drop_last=True,
        num_workers=workers,
        persistent_workers=True,
        pin_memory=True,
        **collate,
    )
    normalized = Normalized() if work == "images" else None
    while True:
        for found in loader:
            if normalized is None:
                yield {"tokens": on_device(found)}
            else:
                yield {
                    "label": on_device(found[1]),
                    "pixels": normalized(on_device(found[0])),
                }


def gathered(data: Path, batch: int) -> Batches:
    rows, epoch = np.load(data / "tokens.npy", mmap_mode="r"), 0
    while True:
        order = np.random.default_rng(epoch).permutation(len(rows))
        epoch += 1
        for start in range(0, len(order) - batch + 1, batch):
            yield {"tokens": on_device(torch.from_numpy(rows[order[start : start + batch]]))}


def resident(work: str, batch: int) -> Batches:
    if work == "tokens":
        made = {"tokens": torch.randint(0, 32_000, (batch, 512), dtype=torch.int16, device="cuda")}
    else:
        pixels = torch.randint(0, 256, (batch, SIDE, SIDE, 3), dtype=torch.uint8, device="cuda")
        made = {
            "label": torch.arange(batch, device="cuda") % CLASSES,
            "pixels": Normalized()(pixels),
        }
    while True:
        yield made


def rankfeed() -> Batches:
    import rankfeed

    with rankfeed.Feed(rank=0, world=1) as feed:
        while True:
            yield from feed


def batches(args: argparse.Namespace) -> Batches:
    kind, *rest = args.loader.split(":")
    if kind == "resident":
        return resident(args.work, args.batch)
    if kind == "numpy":
        return gathered(args.data, args.batch)
    if kind == "rankfeed":
        return rankfeed()
    return dataloader(args.work, args.data, args.rows, args.batch, rest[0], int(rest[1]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=["tokens", "images"])
    parser.add_argument("loader", help="resident | rankfeed | numpy | dataloader:item|batched:WORKERS")
    parser.add_argument("--model", default="none")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--batch", type=int, required=True)
    parser.add_argument("--warm", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=8)
    args = parser.parse_args()
    torch.set_num_threads(1)
    torch.backends.cudnn.benchmark = True
    step = make(args.model)
    loader = batches(args)
    loss = torch.zeros((), device="cuda")
    begin = time.perf_counter()
    for _ in range(args.warm):
        loss += step(next(loader))
    torch.cuda.synchronize()
    warm = time.perf_counter() - begin
    ids, steps, waited, epoch = [], 0, 0.0, args.rows // args.batch
    begin = time.perf_counter()
    while time.perf_counter() - begin < args.seconds:
        asked = time.perf_counter()
        batch = next(loader)
        waited += time.perf_counter() - asked
        if args.work == "tokens" and args.loader != "resident" and steps < epoch - args.warm:
            ids.append(batch["tokens"][:, :2].clone())
        loss += step(batch)
        steps += 1
        if steps % 8 == 0:  # as a trainer that reads its loss: the host runs at most 8 steps ahead
            loss.item()
    torch.cuda.synchronize()
    seconds = time.perf_counter() - begin
    if ids:
        seen = torch.cat(ids).view(torch.int32)
        if len(seen.unique()) != len(seen):
            raise SystemExit(f"{args.loader}: a row came twice")
    if not torch.isfinite(loss):
        raise SystemExit(f"{args.loader}: the loss is not finite")
    found = {"rowsPerSecond": steps * args.batch / seconds, "nextMicros": waited / steps * 1e6, "warmSeconds": warm}
    print(json.dumps(found), flush=True)
    os._exit(0)  # workers that hold batches need seconds to end


if __name__ == "__main__":
    main()
