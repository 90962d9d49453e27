"""Writes the Parquet tables that every writer reads: token rows of 1 KiB as lists, and JPEG rows as bytes; each row with its number."""

from __future__ import annotations

import argparse
import io
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TOKENS = 512
FILES = 8
PICTURES = 400


def token_values(first: int, rows: int) -> np.ndarray:
    values = np.random.default_rng(first).integers(0, 32000, size=(rows, TOKENS), dtype=np.int16)
    values.view(np.int32)[:, 0] = np.arange(first, first + rows, dtype=np.int32)
    return values


def token_table(first: int, rows: int) -> pa.Table:
    items = pa.FixedSizeListArray.from_arrays(pa.array(token_values(first, rows).reshape(-1)), TOKENS).cast(pa.list_(pa.int16()))
    return pa.table({"row": pa.array(np.arange(first, first + rows, dtype=np.int64)), "tokens": items})


def pictures() -> list[bytes]:
    """Makes JPEG files of 250 × 250 pixels and about 28 KB: waves and noise."""
    from PIL import Image

    random = np.random.default_rng(7)
    y, x = np.mgrid[0:250, 0:250] / 250
    found = []
    for _ in range(PICTURES):
        waves = [128 + 90 * np.sin(random.uniform(3, 40) * x + random.uniform(3, 40) * y + random.uniform(0, 6)) for _ in range(3)]
        pixels = np.stack(waves, axis=-1) + random.normal(0, 14, (250, 250, 3))
        out = io.BytesIO()
        Image.fromarray(pixels.clip(0, 255).astype(np.uint8)).save(out, "JPEG", quality=88)
        found.append(out.getvalue())
    return found


def image_table(first: int, rows: int, jpegs: list[bytes]) -> pa.Table:
    # The row's number follows the picture's end, where no decoder looks: no two values are equal, so that no dictionary helps.
    values = [jpegs[i % len(jpegs)] + i.to_bytes(8, "little") for i in range(first, first + rows)]
    return pa.table({"row": pa.array(np.arange(first, first + rows, dtype=np.int64)), "image": pa.array(values, pa.binary())})


def write(folder: Path, rows: int, table, *, page_index: bool = False) -> None:
    """Writes files of equal length, so that each of as many workers reads one. Arrow writes no page index by default."""
    if folder.exists():
        return
    partial = folder.with_name(folder.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    for i in range(FILES):
        first, last = rows * i // FILES, rows * (i + 1) // FILES
        options = {"compression": "zstd", "use_dictionary": False, "write_page_index": page_index}
        with pq.ParquetWriter(partial / f"part-{i}.parquet", table(0, 1).schema, **options) as out:
            for start in range(first, last, 10_000):
                out.write_table(table(start, min(10_000, last - start)))
    partial.rename(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--images", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args()
    if args.rows:
        write(args.out / f"tokens-{args.rows}", args.rows, token_table)
    if args.images:
        jpegs = pictures()
        write(args.out / f"images-{args.images}", args.images, lambda first, rows: image_table(first, rows, jpegs))


if __name__ == "__main__":
    main()
