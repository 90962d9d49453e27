"""Peers with torch's DataLoader or one like it: two worker processes each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import steps
from plain import Batches, table
from steps import BATCH

WORKERS = 2


def loaded(dataset, **options) -> Batches:
    """Batches of a DataLoader over (id, tokens, label, pixels) or (id, pixels)."""
    from torch.utils.data import DataLoader

    options = {"batch_size": BATCH, "num_workers": WORKERS, "persistent_workers": True, **options}
    return flat(DataLoader(dataset, **options))


def flat(loader) -> Batches:
    while True:
        for ids, *_, pixels in loader:
            yield np.asarray(ids), np.asarray(pixels)


class Rows:
    """A map-style dataset of ``count`` rows; ``open`` is called once in each worker and gives a function of a row."""

    def __init__(self, count: int, opened: Callable[[], Callable[[int, np.random.Generator], tuple]]):
        self.count = count
        self.opened = opened
        self.row = None

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, at: int) -> tuple:
        import cv2
        import torch

        if self.row is None:
            cv2.setNumThreads(1)
            self.row = self.opened()
            self.random = np.random.default_rng(torch.initial_seed())
        return self.row(at, self.random)


def dataloader(data: Path, transform: Callable) -> Batches:
    rows = table(data)

    def row(at: int, random) -> tuple:
        pixels = transform(rows["image"][at], random)
        return rows["id"][at], np.array(rows["tokens"][at], np.int32), rows["label"][at], np.ascontiguousarray(pixels)

    return loaded(Rows(len(rows["id"]), lambda: row), shuffle=True, drop_last=True)


def dataloader_cv2(data: Path) -> Batches:
    return dataloader(data, steps.transformed)


def dataloader_pillow(data: Path) -> Batches:
    return dataloader(data, steps.transformed_by_pillow)


def files(data: Path, workers: int = WORKERS) -> Batches:
    folder = data / "files"
    tokens, labels = (np.load(folder / f"{name}.npy") for name in ("tokens", "labels"))

    def row(at: int, random) -> tuple:
        pixels = steps.transformed((folder / f"{at}.jpg").read_bytes(), random)
        return at, tokens[at], labels[at], np.ascontiguousarray(pixels)

    how = {"num_workers": workers, "persistent_workers": workers > 0}
    return loaded(Rows(len(tokens), lambda: row), shuffle=True, drop_last=True, **how)


def files_in_process(data: Path) -> Batches:
    return files(data, workers=0)


def hf_datasets(data: Path) -> Batches:
    import datasets

    files = sorted(map(str, (data / "table").glob("*.parquet")))
    rows = datasets.Dataset.from_parquet(files, cache_dir=str(data / "hf-cache"), columns=None)

    def opened():
        def row(at: int, random) -> tuple:
            one = rows[at]
            pixels = steps.transformed(one["image"], random)
            return one["id"], np.array(one["tokens"], np.int32), one["label"], np.ascontiguousarray(pixels)

        return row

    return loaded(Rows(len(rows), opened), shuffle=True, drop_last=True)


def h5py(data: Path) -> Batches:
    import h5py as library

    with library.File(data / "rows.h5") as file:
        count = len(file["id"])

    def opened():
        file = library.File(data / "rows.h5")

        def row(at: int, random) -> tuple:
            pixels = steps.transformed(file["image"][at].tobytes(), random)
            return file["id"][at], file["tokens"][at], file["label"][at], np.ascontiguousarray(pixels)

        return row

    return loaded(Rows(count, opened), shuffle=True, drop_last=True)


def dataloader_npy(data: Path) -> Batches:
    images = np.load(data / "pixels.npy", mmap_mode="r")

    def row(at: int, random) -> tuple:
        return at, np.ascontiguousarray(steps.cut(images[at], random))

    return loaded(Rows(len(images), lambda: row), shuffle=True, drop_last=True)


def dataloader_albumentations(data: Path) -> Batches:
    import cv2

    rows = table(data)

    def opened():
        augment = steps.albumentations()

        def row(at: int, random) -> tuple:
            image = cv2.resize(steps.decoded(rows["image"][at]), (steps.STORED, steps.STORED))
            return rows["id"][at], augment(image, int(random.integers(1 << 62)))

        return row

    return loaded(Rows(len(rows["id"]), opened), shuffle=True, drop_last=True)


def _litdata(folder: Path, made: Callable[[dict, np.random.Generator], tuple]) -> Batches:
    from litdata import StreamingDataLoader, StreamingDataset

    class Dataset(StreamingDataset):
        def __getitem__(self, index):
            import cv2

            cv2.setNumThreads(1)
            row = super().__getitem__(index)
            return made(row, np.random.default_rng(row["id"]))

    rows = Dataset(str(folder), shuffle=True)
    return flat(StreamingDataLoader(rows, batch_size=BATCH, num_workers=WORKERS, persistent_workers=True))


def litdata(data: Path) -> Batches:
    def made(row: dict, random) -> tuple:
        pixels = steps.transformed(row["image"], random)
        return row["id"], row["tokens"], row["label"], np.ascontiguousarray(pixels)

    return _litdata(data / "litdata", made)


def litdata_stored(data: Path) -> Batches:
    def made(row: dict, random) -> tuple:
        image = np.frombuffer(row["image"], np.uint8).reshape(steps.STORED, steps.STORED, 3)
        return row["id"], np.ascontiguousarray(steps.cut(image, random))

    return _litdata(data / "litdata", made)


def webdataset(data: Path) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    import cv2
    import webdataset as wds

    def made(sample):
        cv2.setNumThreads(1)
        number = int(sample["__key__"])
        pixels = steps.transformed(sample["jpg"], np.random.default_rng(number))
        return number, sample["tokens.npy"], sample["label.cls"], np.ascontiguousarray(pixels)

    shards = sorted(str(path) for path in (data / "webdataset").glob("*.tar"))
    rows = wds.WebDataset(shards, shardshuffle=len(shards)).shuffle(1_000).map(made).batched(BATCH)
    return flat(wds.WebLoader(rows, batch_size=None, num_workers=WORKERS, persistent_workers=True))
