"""Writes the same rows for every loader: tokens.npy, a Parquet table for rankfeed, an Arrow dataset, litdata chunks of several
sizes; with --mds, which needs an environment of its own, MDS shards alone."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

TOKENS = 512


def tokens(rows: int) -> np.ndarray:
    values = np.random.default_rng(7).integers(0, 32000, size=(rows, TOKENS), dtype=np.int16)
    values.view(np.int32)[:, 0] = np.arange(rows, dtype=np.int32)
    return values


def parquet(values: np.ndarray, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir(parents=True, exist_ok=True)
    items = pa.FixedSizeListArray.from_arrays(pa.array(values.reshape(-1)), TOKENS).cast(pa.list_(pa.int16()))
    table = pa.table({"row": pa.array(np.arange(len(values), dtype=np.int64)), "tokens": items})
    pq.write_table(table, folder / "part-0.parquet", compression="zstd", row_group_size=10_000, use_dictionary=False)


class Row:
    """A picklable index function for litdata's writers."""

    def __init__(self, path: str):
        self.path, self.rows = path, None

    def __call__(self, i: int):
        import torch

        if self.rows is None:
            self.rows = np.load(self.path, mmap_mode="r")
        return torch.from_numpy(self.rows[i].copy())


def litdata_chunks(source: Path, rows: int, chunk: int, out: Path) -> None:
    import litdata

    litdata.optimize(fn=Row(str(source)), inputs=list(range(rows)), output_dir=str(out), chunk_size=chunk, num_workers=2, verbose=False)


def mds(source: Path, out: Path) -> None:
    from streaming import MDSWriter

    with MDSWriter(out=str(out), columns={"tokens": f"ndarray:int16:{TOKENS}"}, progress_bar=False) as writer:
        for row in np.load(source, mmap_mode="r"):
            writer.write({"tokens": np.ascontiguousarray(row)})


def huggingface(table: Path, out: Path) -> None:
    import datasets

    datasets.Dataset.from_parquet(str(table / "part-0.parquet"), cache_dir=str(out.parent / "hf-cache")).save_to_disk(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--chunks", type=int, nargs="*", default=[])
    parser.add_argument("--mds", action="store_true")
    args = parser.parse_args()
    if args.mds:
        if not (args.out / "mds" / "index.json").exists():
            mds(args.out / "tokens.npy", args.out / "mds")
        return
    args.out.mkdir(parents=True, exist_ok=True)
    source = args.out / "tokens.npy"
    if not source.exists():
        values = tokens(args.rows)
        parquet(values, args.out / "table")
        np.save(args.out / ".tokens.npy", values)
        (args.out / ".tokens.npy").rename(source)
    if not (args.out / "hf" / "state.json").exists():
        huggingface(args.out / "table", args.out / "hf")
    for chunk in args.chunks:
        folder = args.out / f"litdata-{chunk}"
        if not (folder / "index.json").exists():
            litdata_chunks(source, args.rows, chunk, folder)


if __name__ == "__main__":
    main()
