"""One loader over one epoch or more, in a process of its own: rows per second of each epoch, as JSON.

Every loader gives batches of 100 rows: ids, tokens, labels, and uint8 RGB [100, 224, 224, 3], resized bilinearly and
mirrored at random. The ids of an epoch are checked: none twice, and as many as there are.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import queue
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

BATCH, SIDE = 100, 224


def transformed(file: bytes, random: np.random.Generator) -> np.ndarray:
    image = cv2.imdecode(np.frombuffer(file, np.uint8), cv2.IMREAD_COLOR_RGB)
    image = cv2.resize(image, (SIDE, SIDE))
    return cv2.flip(image, 1) if random.random() < 0.5 else image


def transformed_by_pillow(file: bytes, random: np.random.Generator) -> np.ndarray:
    import io

    from PIL import Image

    image = Image.open(io.BytesIO(file)).convert("RGB").resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    return np.asarray(image.transpose(Image.Transpose.FLIP_LEFT_RIGHT) if random.random() < 0.5 else image)


def table(data: Path) -> dict[str, list]:
    import pyarrow.parquet as pq

    return pq.read_table(data / "table").to_pydict()


def limit(data: Path, _run: str, _workers: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """cv2 in two plain threads, each with its own batches: no order, no copy between processes, buffers reused."""
    rows = table(data)
    cv2.setNumThreads(1)
    made: queue.Queue = queue.Queue(maxsize=4)

    def work(which: int) -> None:
        random = np.random.default_rng(which)
        buffers = itertools.cycle([np.empty((BATCH, SIDE, SIDE, 3), np.uint8) for _ in range(6)])
        while True:
            for start in range(which * BATCH, len(rows["id"]) // BATCH * BATCH, 2 * BATCH):
                pixels = next(buffers)
                for i in range(BATCH):
                    pixels[i] = transformed(rows["image"][start + i], random)
                made.put((np.array(rows["id"][start : start + BATCH]), pixels))

    for which in (0, 1):
        threading.Thread(target=work, args=(which,), daemon=True).start()
    while True:
        yield made.get()


def rankfeed(_data: Path, run: str, _workers: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    import rankfeed as client

    with client.Feed(run) as feed:
        while True:
            for batch in feed:
                yield batch["id"].numpy(), batch["pixels"].numpy()


def dataloader(data: Path, workers: int, transform) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    import torch
    from torch.utils.data import DataLoader, Dataset

    class Rows(Dataset):
        def __init__(self):
            self.rows = table(data)
            self.random = None

        def __len__(self):
            return len(self.rows["id"])

        def __getitem__(self, at):
            if self.random is None:
                cv2.setNumThreads(1)
                self.random = np.random.default_rng(torch.initial_seed())
            rows = self.rows
            pixels = transform(rows["image"][at], self.random)
            return (
                rows["id"][at],
                np.array(rows["tokens"][at], np.int32),
                rows["label"][at],
                np.ascontiguousarray(pixels),
            )

    loader = DataLoader(Rows(), BATCH, shuffle=True, num_workers=workers, persistent_workers=True, drop_last=True)
    while True:
        for ids, _tokens, _labels, pixels in loader:
            yield ids.numpy(), pixels.numpy()


def litdata(data: Path, _run: str, workers: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    from litdata import StreamingDataLoader, StreamingDataset

    class Rows(StreamingDataset):
        def __getitem__(self, index):
            row = super().__getitem__(index)
            cv2.setNumThreads(1)
            pixels = transformed(row["image"], np.random.default_rng(row["id"]))
            return row["id"], row["tokens"], row["label"], np.ascontiguousarray(pixels)

    loader = StreamingDataLoader(
        Rows(str(data / "litdata"), shuffle=True), batch_size=BATCH, num_workers=workers, persistent_workers=True
    )
    while True:
        for ids, _tokens, _labels, pixels in loader:
            yield ids.numpy(), pixels.numpy()


def webdataset(data: Path, _run: str, workers: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    import webdataset as wds

    def made(sample):
        cv2.setNumThreads(1)
        number = int(sample["__key__"])
        pixels = transformed(sample["jpg"], np.random.default_rng(number))
        return number, sample["tokens.npy"], sample["label.cls"], np.ascontiguousarray(pixels)

    shards = sorted(str(path) for path in (data / "webdataset").glob("*.tar"))
    rows = wds.WebDataset(shards, shardshuffle=len(shards)).shuffle(1_000).map(made).batched(BATCH)
    loader = wds.WebLoader(rows, batch_size=None, num_workers=workers, persistent_workers=True)
    while True:
        for ids, _tokens, _labels, pixels in loader:
            yield np.asarray(ids), np.asarray(pixels)


LOADERS = {
    "limit": limit,
    "rankfeed": rankfeed,
    "dataloader-cv2": lambda data, _run, workers: dataloader(data, workers, transformed),
    "dataloader-pillow": lambda data, _run, workers: dataloader(data, workers, transformed_by_pillow),
    "litdata": litdata,
    "webdataset": webdataset,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("loader", choices=LOADERS)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--epochs", type=int, required=True)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--run", default="bench")
    args = parser.parse_args()
    batches = LOADERS[args.loader](args.data, args.run, args.workers)
    # Worker processes give batches out of shards that end unevenly; the rest of an epoch counts as its last batches.
    per_epoch = args.rows // BATCH * BATCH
    rates = []
    for epoch in range(args.epochs + 1):
        seen: list[np.ndarray] = []
        started, rows = time.perf_counter(), 0
        while rows < per_epoch:
            ids, pixels = next(batches)
            assert pixels.shape == (len(ids), SIDE, SIDE, 3) and pixels.dtype == np.uint8, pixels.shape
            rows += len(ids)
            seen.append(np.array(ids))
        if epoch:  # the first one warms up
            rates.append(rows / (time.perf_counter() - started))
        found = np.concatenate(seen)
        # The two threads of the limit do not wait for each other at the end of an epoch.
        assert args.loader == "limit" or len(np.unique(found)) == len(found), "a row came twice in an epoch"
    print(json.dumps({"rowsPerSecond": rates}), flush=True)
    os._exit(0)  # the threads of the limit never end


if __name__ == "__main__":
    main()
