"""Reads one format with its library in a process of its own, or writes the table with the library. Prints one JSON line."""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

BATCH, PASSES = 256, 5
TOKENS = 512
Value = Any  # an array of tokens, or the bytes of an image
Opened = tuple[Callable[[list[int]], Any] | None, Callable[[], Iterator[Value]]]
"""Reads rows by their numbers, as a list or one array, if the format has random access; and reads all rows."""


def number(value: Value) -> int:
    """Returns the number of the row that a value is from; see convert/data.py."""
    return int.from_bytes(value[-8:], "little") if isinstance(value, bytes) else int(value[:2].astype(np.int16).view(np.int32)[0])


def each(row: Callable[[int], Value]) -> Callable[[list[int]], list[Value]]:
    """Reads rows one by one, where a library has no read of several rows."""
    return lambda numbers: [row(i) for i in numbers]


def mapped(path: Path) -> np.ndarray:
    """Maps a file. The result is a plain array: slices of a np.memmap are np.memmaps, which take longer to make."""
    return np.asarray(np.memmap(path, mode="r"))


def lanes(folder: Path, column: str) -> Opened:
    import rankfeed

    rows = rankfeed.open(folder)["train"]

    def values() -> Iterator[Value]:
        for start in range(0, len(rows), BATCH):
            table = rows[start : start + BATCH].to_arrow()[column].combine_chunks()
            yield from (table.to_pylist() if column == "image" else table.flatten().to_numpy().reshape(len(table), -1))

    return each(lambda i: rows[i][column]), values


def webdataset(folder: Path, column: str) -> Opened:
    import webdataset as package

    rows = package.WebDataset(sorted(map(str, (folder / "train").glob("*.tar"))), shardshuffle=False).decode()
    name = "image.bin" if column == "image" else "tokens.npy"
    return None, lambda: (row[name] for row in rows)


def mds(folder: Path, column: str) -> Opened:
    from streaming import LocalDataset

    rows = LocalDataset(str(folder), split="train")
    return each(lambda i: rows[i][column]), lambda: (rows[i][column] for i in range(len(rows)))


def tfrecord(folder: Path, column: str) -> Opened:
    from tfrecord.reader import tfrecord_loader

    def values() -> Iterator[Value]:
        for file in sorted((folder / "train").glob("*.tfrecord")):
            for row in tfrecord_loader(str(file), None, {column: "byte" if column == "image" else "int"}):
                yield (bytes(row[column]) if column == "image" else row[column].astype(np.int16))

    return None, values


def huggingface(folder: Path, column: str) -> Opened:
    import datasets

    rows = datasets.load_from_disk(str(folder / "train")).select_columns([column])
    rows = rows if column == "image" else rows.with_format("numpy", dtype=np.int16)
    return lambda numbers: rows[numbers][column], lambda: (row[column] for row in rows)


def lmdb(folder: Path, column: str) -> Opened:
    import lmdb as package
    import msgpack

    # No value is larger than the file.
    limit = (folder / "train" / "data.mdb").stat().st_size
    reader = package.open(str(folder / "train"), readonly=True, lock=False, readahead=False).begin(buffers=True)

    def array(value: dict) -> Any:
        return np.frombuffer(value[b"data"], value[b"type"]).reshape(value[b"shape"]) if b"nd" in value else value

    def row(i: int) -> Value:
        return msgpack.unpackb(reader.get(b"%d" % i), object_hook=array, max_bin_len=limit, strict_map_key=False)[column]

    return each(row), lambda: map(row, range(int(bytes(reader.get(b"__len__")))))


def megatron(folder: Path, column: str) -> Opened:
    """As Megatron-LM maps it."""
    index = mapped(folder / "train" / f"{column}_document.idx")
    count = int(index[18:26].view(np.int64)[0])
    lengths = index[34 : 34 + 4 * count].view(np.int32)
    starts = index[34 + 4 * count : 34 + 12 * count].view(np.int64)
    stored = mapped(folder / "train" / f"{column}_document.bin")

    def row(i: int) -> Value:
        return np.frombuffer(stored, np.int16, lengths[i], starts[i])

    return each(row), lambda: map(row, range(count))


def npy(folder: Path, column: str) -> Opened:
    stored = np.asarray(np.load(folder / "train" / f"{column}.npy", mmap_mode="r"))
    return lambda numbers: stored[numbers], lambda: iter(stored)


def enn(folder: Path, column: str) -> Opened:
    """As ENN-PyTorch maps it: features of one floating-point type."""
    meta = json.loads((folder / "train" / "meta.json").read_text())
    stored = mapped(folder / "train" / meta["features_path"]).view(meta["features_dtype"]).reshape(meta["N"], -1)
    return lambda numbers: stored[numbers], lambda: iter(stored)


def images(folder: Path, column: str) -> Opened:
    paths = sorted(map(str, (folder / "train").rglob("*.jpg")))

    def row(i: int) -> Value:
        with open(paths[i], "rb") as file:
            return file.read()

    return each(row), lambda: map(row, range(len(paths)))


def image_mmap(folder: Path, column: str) -> Opened:
    stored = mapped(folder / "train.mmap")
    count = int(stored[:8].view(np.uint64)[0])
    places = stored[8 : 8 + 16 * count].view(np.uint64).reshape(count, 2).astype(np.int64)

    def row(i: int) -> Value:
        return stored[places[i, 0] : places[i, 0] + places[i, 1]].tobytes()

    return each(row), lambda: map(row, range(count))


READERS = {
    "lanes": lanes,
    "webdataset": webdataset,
    "mds": mds,
    "tfrecord": tfrecord,
    "huggingface": huggingface,
    "lmdb": lmdb,
    "megatron": megatron,
    "npy": npy,
    "enn": enn,
    "image-mmap": image_mmap,
    "images": images,
}


def pss() -> int:
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no Pss")


def rate(get: Callable[[list[int]], Any], drawn: list[int]) -> float:
    """Returns the rows per second of one pass over drawn rows, in batches."""
    start = time.perf_counter()
    for first in range(0, len(drawn), BATCH):
        batch = get(drawn[first : first + BATCH])
        if isinstance(batch, list) and not isinstance(batch[0], bytes):
            # Values may be views of a mapped file, which are not read yet.
            np.concatenate(batch)
    return len(drawn) / (time.perf_counter() - start)


def read(args: argparse.Namespace) -> dict[str, float | None]:
    column = "image" if args.kind == "images" else "tokens"
    opened = READERS[args.format]
    # Imports, and what a library makes once, are not the opening of a store.
    opened(args.folder, column)
    before = pss()
    start = time.perf_counter()
    get, values = opened(args.folder, column)
    number(get([0])[0] if get else next(values()))
    found: dict[str, float | None] = {"open_s": time.perf_counter() - start, "random": None}
    seen = np.zeros(args.rows, bool)
    start = time.perf_counter()
    for value in values():
        seen[number(value)] = True
    found["sequential"] = args.rows / (time.perf_counter() - start)
    if not seen.all():
        sys.exit(f"{args.format}: {np.count_nonzero(~seen)} of {args.rows} rows are missing")
    if get:
        drawn = np.random.default_rng(1).integers(0, args.rows, args.reads).tolist()
        found["random"] = statistics.median(rate(get, drawn) for _ in range(PASSES))
    return {**found, "pss": pss() - before}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", choices=READERS)
    parser.add_argument("kind", choices=["tokens", "images"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--reads", type=int, default=20_000, help="rows that are read at random")
    print(json.dumps(read(parser.parse_args())))


if __name__ == "__main__":
    main()
