"""Writes 250×250 JPEG files with 64 tokens and a label: a Parquet table, and the same rows in each peer's own store."""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import cv2
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

SIDE, TOKENS, CLASSES = 250, 64, 10


def picture(number: int) -> bytes:
    """Smooth shapes with noise, as large as a photograph's file of this size."""
    random = np.random.default_rng(number)
    small = random.integers(0, 256, (12, 12, 3), dtype=np.uint8)
    image = cv2.resize(small, (SIDE, SIDE), interpolation=cv2.INTER_CUBIC).astype(np.int16)
    image += random.normal(0, 9, image.shape).astype(np.int16)
    return cv2.imencode(".jpg", np.clip(image, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def row(number: int) -> dict:
    random = np.random.default_rng([number, 1])
    tokens = random.integers(0, 32_000, TOKENS, dtype=np.int32)
    return {"id": number, "image": picture(number), "tokens": tokens, "label": number % CLASSES}


def write_table(rows: int, folder: Path) -> None:
    folder.mkdir(parents=True)
    for part in range(0, rows, 2_000):
        made = [row(number) for number in range(part, min(part + 2_000, rows))]
        columns = {
            "id": pa.array([one["id"] for one in made], pa.int64()),
            "image": pa.array([one["image"] for one in made], pa.binary()),
            "tokens": pa.array([one["tokens"].tolist() for one in made], pa.list_(pa.int32())),
            "label": pa.array([one["label"] for one in made], pa.int16()),
        }
        pq.write_table(pa.table(columns), folder / f"part-{part:06d}.parquet", compression="none")


def write_litdata(rows: int, folder: Path) -> None:
    from litdata import optimize

    optimize(fn=row, inputs=list(range(rows)), output_dir=str(folder), num_workers=2, chunk_bytes="64MB")


def write_webdataset(rows: int, folder: Path) -> None:
    import webdataset as wds

    folder.mkdir(parents=True)
    with wds.ShardWriter(str(folder / "%06d.tar"), maxcount=1_000, verbose=0) as writer:
        for number in range(rows):
            one = row(number)
            writer.write(
                {
                    "__key__": f"{number:08d}",
                    "jpg": one["image"],
                    "tokens.npy": one["tokens"],
                    "label.cls": one["label"],
                }
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    done = args.out / f"rows-{args.rows}"
    if done.exists():
        return
    shutil.rmtree(args.out, ignore_errors=True)
    write_table(args.rows, args.out / "table")
    write_litdata(args.rows, args.out / "litdata")
    write_webdataset(args.rows, args.out / "webdataset")
    done.touch()


if __name__ == "__main__":
    main()
