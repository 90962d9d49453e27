"""Measures rankfeed, and the upper limits: the work in two threads without order and without copies between
processes."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import steps
from steps import BATCH, SIDE, STORED

Batches = Iterator[tuple[np.ndarray, np.ndarray]]

_STATE: dict = {}


def table(data: Path) -> dict[str, list]:
    import pyarrow.parquet as pq

    return pq.read_table(data / "table").to_pydict()


def _in_threads(count: int, ids: np.ndarray, make: Callable[[int, np.random.Generator], np.ndarray]) -> Batches:
    """Works in two threads, each with its own batches; buffers are reused."""
    import cv2

    cv2.setNumThreads(1)
    made: queue.Queue = queue.Queue(maxsize=4)

    def work(which: int) -> None:
        random = np.random.default_rng(which)
        buffers = itertools.cycle([np.empty((BATCH, SIDE, SIDE, 3), np.uint8) for _ in range(6)])
        while True:
            for start in range(which * BATCH, count // BATCH * BATCH, 2 * BATCH):
                pixels = next(buffers)
                for i in range(BATCH):
                    pixels[i] = make(start + i, random)
                made.put((ids[start : start + BATCH], pixels))

    for which in (0, 1):
        threading.Thread(target=work, args=(which,), daemon=True).start()
    while True:
        yield made.get()


def decoded_in_threads(data: Path) -> Batches:
    rows = table(data)
    files = rows["image"]
    return _in_threads(len(files), np.array(rows["id"]), lambda i, random: steps.transformed(files[i], random))


def cut_in_threads(data: Path) -> Batches:
    images = np.load(data / "pixels.npy", mmap_mode="r")
    order = np.random.default_rng(0).permutation(len(images))
    return _in_threads(len(images), order, lambda i, random: steps.cut(images[order[i]], random))


def rankfeed(_data: Path, **options) -> Batches:
    import rankfeed as client

    with client.Feed("bench", **options) as feed:
        while True:
            for batch in feed:
                yield batch["id"].numpy(), batch["pixels"].numpy()


def start(_worker: int) -> None:
    import cv2

    cv2.setNumThreads(1)
    _STATE["augment"] = steps.albumentations()


def augmented(batch: dict, rng) -> dict:
    return {"id": batch["id"], "pixels": _augmented(batch["pixels"], rng.seeds)}


def decoded_and_augmented(batch: dict, rng) -> dict:
    import cv2

    data, ends = batch["image"].tobytes(), batch["image.offsets"]
    images = (cv2.resize(steps.decoded(data[ends[i] : ends[i + 1]]), (STORED, STORED)) for i in range(len(batch["id"])))
    return {"id": batch["id"], "pixels": _augmented(images, rng.seeds)}


def _augmented(images, seeds) -> np.ndarray:
    out = np.empty((len(seeds), SIDE, SIDE, 3), np.uint8)
    for i, image in enumerate(images):
        out[i] = _STATE["augment"](image, int(seeds[i]))
    return out


def rankfeed_albumentations(data: Path) -> Batches:
    """The feeder decodes, two workers augment."""
    return rankfeed(data, columns=["id", "pixels"], transform=augmented, workers=2, worker_init=start)


def rankfeed_all_albumentations(data: Path) -> Batches:
    """Two workers decode and augment."""
    return rankfeed(data, columns=["id", "image"], transform=decoded_and_augmented, workers=2, worker_init=start)
