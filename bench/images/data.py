"""Writes the rows of a work, each peer's store of them included. What exists is kept.

jpeg     250×250 JPEG files with 64 tokens and a label
stored   the same pictures as pixels of 256×256
photos   as jpeg, with a folder of the files
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from steps import STORED

SIDE, TOKENS, CLASSES = 250, 64, 10


def image(number: int) -> np.ndarray:
    """Draws smooth shapes with noise; the file has the size of a photograph's."""
    random = np.random.default_rng(number)
    small = random.integers(0, 256, (12, 12, 3), dtype=np.uint8)
    pixels = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    pixels += random.normal(0, 9, pixels.shape).astype(np.int16)
    return np.clip(pixels, 0, 255).astype(np.uint8)


def jpeg(number: int) -> dict:
    random = np.random.default_rng([number, 1])
    tokens = random.integers(0, 32_000, TOKENS, dtype=np.int32)
    file = cv2.imencode(".jpg", image(number), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    return {"id": number, "image": file, "tokens": tokens, "label": number % CLASSES}


def stored(number: int) -> dict:
    return {"id": number, "image": cv2.resize(image(number), (STORED, STORED)).tobytes()}


Row = Callable[[int], dict]


def write_table(row: Row, rows: int, folder: Path, **options) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {"id": pa.int64(), "image": pa.binary(), "tokens": pa.list_(pa.int32()), "label": pa.int16()}
    folder.mkdir()
    for part in range(0, rows, 1_000):
        made = [row(number) for number in range(part, min(part + 1_000, rows))]
        columns = {name: pa.array([one[name] for one in made], types[name]) for name in made[0]}
        pq.write_table(pa.table(columns), folder / f"part-{part:06d}.parquet", compression="none", **options)


def write_for_petastorm(row: Row, rows: int, folder: Path) -> None:
    """Writes the format that its pyarrow reads, in row groups of 500, which are its units of shuffling."""
    write_table(row, rows, folder, version="1.0", row_group_size=500, store_schema=False)


def write_litdata(row: Row, rows: int, folder: Path) -> None:
    from litdata import optimize

    optimize(fn=row, inputs=list(range(rows)), output_dir=str(folder), num_workers=2, chunk_bytes="64MB")


def write_webdataset(row: Row, rows: int, folder: Path) -> None:
    import webdataset as wds

    folder.mkdir()
    with wds.ShardWriter(str(folder / "%06d.tar"), maxcount=1_000, verbose=0) as writer:
        for number in range(rows):
            one = row(number)
            key = f"{number:08d}"
            writer.write({"__key__": key, "jpg": one["image"], "tokens.npy": one["tokens"], "label.cls": one["label"]})


def write_h5(row: Row, rows: int, path: Path) -> None:
    import h5py

    with h5py.File(path, "w") as file:
        file["id"] = np.arange(rows)
        file["label"] = np.arange(rows) % CLASSES
        tokens = file.create_dataset("tokens", (rows, TOKENS), np.int32)
        images = file.create_dataset("image", (rows,), h5py.vlen_dtype(np.uint8))
        for number in range(rows):
            one = row(number)
            tokens[number], images[number] = one["tokens"], np.frombuffer(one["image"], np.uint8)


def write_npy(row: Row, rows: int, path: Path) -> None:
    pixels = np.lib.format.open_memmap(path, "w+", np.uint8, (rows, STORED, STORED, 3))
    for number in range(rows):
        pixels[number] = np.frombuffer(row(number)["image"], np.uint8).reshape(STORED, STORED, 3)
    pixels.flush()


def write_files(row: Row, rows: int, folder: Path) -> None:
    folder.mkdir()
    made = []
    for number in range(rows):
        one = row(number)
        (folder / f"{number}.jpg").write_bytes(one["image"])
        made.append((one["tokens"], one["label"]))
    for name, values in zip(("tokens", "labels"), zip(*made, strict=True), strict=True):
        np.save(folder / f"{name}.npy", np.array(values))


def write_mds(row: Row, rows: int, folder: Path) -> None:
    from streaming import MDSWriter

    types = {"id": "int", "image": "bytes", "tokens": "ndarray:int32", "label": "int"}
    first = row(0)
    with MDSWriter(out=str(folder), columns={name: types[name] for name in first}, size_limit="64mb") as writer:
        for number in range(rows):
            writer.write(row(number))


STORES = {
    "jpeg": {
        "table": write_table,
        "table-petastorm": write_for_petastorm,
        "litdata": write_litdata,
        "webdataset": write_webdataset,
        "rows.h5": write_h5,
    },
    "stored": {"table": write_table, "litdata": write_litdata, "pixels.npy": write_npy},
    "photos": {"table": write_table, "table-petastorm": write_for_petastorm, "files": write_files},
}
MDS = {"mds": write_mds}
ROWS = {"jpeg": jpeg, "stored": stored, "photos": jpeg}


def missing(stores: dict, out: Path) -> Iterator[tuple[Callable, Path]]:
    for name, write in stores.items():
        if not (out / name).exists():
            yield write, out / name


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("work", choices=STORES)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--mds", action="store_true", help="write the store of MosaicML Streaming alone")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    for write, target in missing(MDS if args.mds else STORES[args.work], args.out):
        attempt = target.with_name(f"{target.name}.attempt")
        shutil.rmtree(attempt, ignore_errors=True)
        write(ROWS[args.work], args.rows, attempt)
        attempt.rename(target)


if __name__ == "__main__":
    main()
