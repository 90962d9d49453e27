"""Writes the same rows for every loader: tokens.npy with offsets.npy and prompts.npy, a Parquet table, an Arrow dataset, litdata chunks.

A row has 50 to 2,048 token ids (int32), 727 in the mean; the first two are the row's number. The first part of it is the prompt.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

VOCABULARY = 32_000
SHORTEST, LONGEST = 50, 2048


def lengths(rows: int) -> np.ndarray:
    drawn = np.exp(np.random.default_rng(3).normal(6.35, 0.8, rows))
    return np.clip(drawn, SHORTEST, LONGEST).astype(np.int64)


def row_numbers(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Returns the number of the row that begins with these tokens."""
    return second.astype(np.int64) * VOCABULARY + first


def write_arrays(rows: int, out: Path) -> None:
    sizes = lengths(rows)
    offsets = np.concatenate([[0], np.cumsum(sizes)])
    random = np.random.default_rng(5)
    tokens = random.integers(1, VOCABULARY, offsets[-1], dtype=np.int32)
    numbers = np.arange(rows)
    tokens[offsets[:-1]], tokens[offsets[:-1] + 1] = numbers % VOCABULARY, numbers // VOCABULARY
    np.save(out / "offsets.npy", offsets)
    np.save(out / "prompts.npy", (sizes * random.random(rows)).astype(np.int32))
    np.save(out / ".tokens.npy", tokens)
    (out / ".tokens.npy").rename(out / "tokens.npy")


def write_table(out: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tokens, offsets, prompts = (np.load(out / f"{name}.npy") for name in ("tokens", "offsets", "prompts"))
    lists = pa.ListArray.from_arrays(pa.array(offsets.astype(np.int32)), pa.array(tokens))
    table = pa.table({"row": np.arange(len(prompts)), "tokens": lists, "prompt_length": prompts})
    (out / "table").mkdir(exist_ok=True)
    pq.write_table(table, out / "table" / "part-0.parquet", compression="zstd", row_group_size=10_000, use_dictionary=False)


def write_hf(out: Path) -> None:
    import datasets

    datasets.Dataset.from_parquet(str(out / "table" / "part-0.parquet"), cache_dir=str(out / "hf-cache")).save_to_disk(out / "hf")


class Row:
    """A picklable index function for litdata's writers."""

    def __init__(self, folder: Path):
        self.folder, self.arrays = folder, None

    def __call__(self, i: int):
        import torch

        if self.arrays is None:
            self.arrays = [np.load(self.folder / f"{name}.npy", mmap_mode="r") for name in ("tokens", "offsets", "prompts")]
        tokens, offsets, prompts = self.arrays
        return {"tokens": torch.from_numpy(tokens[offsets[i] : offsets[i + 1]].copy()), "prompt_length": int(prompts[i])}


def write_litdata(rows: int, chunk: int, out: Path) -> None:
    import litdata

    litdata.optimize(
        fn=Row(out), inputs=list(range(rows)), output_dir=str(out / f"litdata-{chunk}"), chunk_size=chunk, num_workers=2, verbose=False
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--chunks", type=int, nargs="*", default=[])
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if not (args.out / "tokens.npy").exists():
        write_arrays(args.rows, args.out)
    if not (args.out / "table").exists():
        write_table(args.out)
    if not (args.out / "hf").exists():
        write_hf(args.out)
    for chunk in args.chunks:
        if not (args.out / f"litdata-{chunk}" / "index.json").exists():
            write_litdata(args.rows, chunk, args.out)


if __name__ == "__main__":
    main()
