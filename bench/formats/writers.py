"""Writes the table with the library of one format, in a process of its own and one thread. Prints one JSON line."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parents[1]))

from convert.writers import SHARD_BYTES, files, flushed, mds_part, rows_of

COMMIT_ROWS = 1_000
Rows = Iterable[dict]


def webdataset(rows: Rows, out: Path) -> None:
    import webdataset as package

    with package.ShardWriter(str(out / "%05d.tar"), maxsize=SHARD_BYTES, verbose=0) as writer:
        for row in rows:
            value = {"image.bin": row["image"]} if "image" in row else {"tokens.npy": row["tokens"]}
            writer.write({"__key__": f"{row['row']}", "json": {"row": row["row"]}, **value})


def tfrecord(rows: Rows, out: Path) -> None:
    from tfrecord import TFRecordWriter

    writer = TFRecordWriter(str(out / "00000.tfrecord"))
    for row in rows:
        value = {"image": (row["image"], "byte")} if "image" in row else {"tokens": (row["tokens"].tolist(), "int")}
        writer.write({"row": (row["row"], "int"), **value})
    writer.close()


def huggingface(rows: Rows, out: Path) -> None:
    import datasets

    datasets.disable_progress_bars()
    # Without a fingerprint the library would hash the rows.
    made = datasets.Dataset.from_generator(lambda: rows, cache_dir=str(out.with_name("cache")), fingerprint="rows")
    made.save_to_disk(str(out / "train"))


def lmdb(rows: Rows, out: Path) -> None:
    import lmdb as package
    import msgpack

    def packed(value: object) -> object:
        if isinstance(value, np.ndarray):
            return {b"nd": True, b"type": value.dtype.str, b"kind": b"", b"shape": value.shape, b"data": value.tobytes()}
        return value

    with package.open(str(out), map_size=1 << 36) as env:
        writer = env.begin(write=True)
        count = 0
        for row in rows:
            writer.put(b"%d" % count, msgpack.packb(row, default=packed))
            count += 1
            if count % COMMIT_ROWS == 0:
                writer.commit()
                writer = env.begin(write=True)
        writer.put(b"__len__", b"%d" % count)
        writer.commit()


def npy(rows: Rows, out: Path) -> None:
    (out / "train").mkdir()
    np.save(out / "train" / "tokens.npy", np.stack([row["tokens"] for row in rows]))


def images(rows: Rows, out: Path) -> None:
    for row in rows:
        folder = out / "train" / f"{row['row'] // 1_000:03}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{row['row']:08}.jpg").write_bytes(row["image"])


WRITERS = {"webdataset": webdataset, "tfrecord": tfrecord, "huggingface": huggingface, "lmdb": lmdb, "npy": npy, "images": images}
LIBRARIES = [*WRITERS, "mds"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("format", choices=LIBRARIES)
    parser.add_argument("table", type=Path)
    parser.add_argument("out", type=Path)
    args = parser.parse_args()
    paths = files(args.table)
    start = time.perf_counter()
    if args.format == "mds":
        mds_part(paths, str(args.out))
    else:
        args.out.mkdir(parents=True)
        WRITERS[args.format](rows_of(paths), args.out)
    size = flushed(args.out)
    print(json.dumps({"seconds": time.perf_counter() - start, "bytes": size}))


if __name__ == "__main__":
    main()
