"""One loader, one process: a checked warm-up epoch, then timed epochs. Prints one JSON line.

Every loader delivers batches of 32 rows in shuffled order. In the warm-up every value is checked, in the timed epochs that each row came
once.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
from collators import WORKS
from data import row_numbers

ARRAYS = ("tokens", "offsets", "prompts")


def arrays(data: Path) -> list[np.ndarray]:
    return [np.load(data / f"{name}.npy", mmap_mode="r") for name in ARRAYS]


class InProcess:
    """Measures a process without a loader: rows of a mapped file, collated in numpy."""

    def __init__(self, data: Path, batch: int, work: str):
        self.arrays, self.batch, self.collate, self.epoch = arrays(data), batch, WORKS[work], 0

    def __iter__(self):
        tokens, offsets, prompts = self.arrays
        order = np.random.default_rng(self.epoch).permutation(len(prompts))
        self.epoch += 1
        for start in range(0, len(order) - self.batch + 1, self.batch):
            chosen = order[start : start + self.batch]
            yield self.collate([tokens[offsets[i] : offsets[i + 1]] for i in chosen], prompts[chosen])


def to_torch(batch: dict) -> dict:
    import torch

    return {name: torch.from_numpy(value) if isinstance(value, np.ndarray) else value for name, value in batch.items()}


def collate_rows(work: str, rows: list) -> dict:
    """The collate function of every loader with workers: the same numpy code as in process."""
    tokens = [np.asarray(row["tokens"]) for row in rows]
    return to_torch(WORKS[work](tokens, [int(row["prompt_length"]) for row in rows]))


def flatten_rows(rows: list) -> dict:
    """Makes what ``DataCollatorWithFlattening`` makes of rows with labels."""
    from transformers import DataCollatorWithFlattening

    features = []
    for row in rows:
        tokens = np.asarray(row["tokens"]).tolist()
        cut = min(int(row["prompt_length"]), len(tokens))
        features.append({"input_ids": tokens, "labels": [-100] * cut + tokens[cut:]})
    return DataCollatorWithFlattening(return_flash_attn_kwargs=True)(features, return_tensors="pt")


def npy_rows(data: Path):
    from torch.utils.data import Dataset

    class Rows(Dataset):
        def __init__(self):
            self.arrays = arrays(data)

        def __len__(self):
            return len(self.arrays[2])

        def __getitem__(self, i):
            tokens, offsets, prompts = self.arrays
            return {"tokens": tokens[offsets[i] : offsets[i + 1]], "prompt_length": prompts[i]}

    return Rows()


def hf_rows(data: Path):
    import datasets

    return datasets.load_from_disk(str(data / "hf")).with_format("numpy")


def loader(dataset, collate, batch: int, workers: int):
    from torch.utils.data import DataLoader

    return DataLoader(
        dataset, batch_size=batch, shuffle=True, drop_last=True, num_workers=workers, collate_fn=collate, persistent_workers=workers > 0
    )


def litdata_loader(data: Path, collate, batch: int, workers: int, chunk: int):
    from litdata import StreamingDataLoader, StreamingDataset

    dataset = StreamingDataset(str(data / f"litdata-{chunk}"), shuffle=True, drop_last=True)
    return StreamingDataLoader(
        dataset, batch_size=batch, num_workers=workers, drop_last=True, collate_fn=collate, persistent_workers=workers > 0
    )


class Fed:
    """rankfeed: the slots of the ring as torch tensors."""

    def __init__(self, run: str):
        import rankfeed

        self.feed = rankfeed.Feed(run, device="cpu", rank=0, world=1)

    def __iter__(self):
        return iter(self.feed)


def build(name: str, args) -> object:
    data = Path(args.data)
    kind, *rest = name.split(":")
    collate = flatten_rows if rest[:1] == ["transformers"] else partial(collate_rows, args.work)
    if kind == "numpy":
        return InProcess(data, args.batch, args.work)
    if kind == "npy":
        return loader(npy_rows(data), collate, args.batch, int(rest[-1]))
    if kind == "hf":
        return loader(hf_rows(data), collate, args.batch, int(rest[-1]))
    if kind == "litdata":
        return litdata_loader(data, collate, args.batch, int(rest[-1]), int(rest[0]))
    if kind == "rankfeed":
        return Fed(f"{args.run}-{args.work}")
    raise SystemExit(f"unknown loader {name}")


def numbers(batch: dict, work: str) -> np.ndarray:
    ids = np.asarray(batch["input_ids"])
    if work == "padded":
        return row_numbers(ids[:, 0], ids[:, 1])
    starts = np.asarray(batch["cu_seq_lens_q"])[:-1]
    return row_numbers(ids[0, starts], ids[0, starts + 1])


def check(batch: dict, rows: np.ndarray, work: str, data: list[np.ndarray]) -> None:
    tokens, offsets, prompts = data
    expected = WORKS[work]([tokens[offsets[i] : offsets[i + 1]] for i in rows], prompts[rows])
    for name, value in expected.items():
        np.testing.assert_array_equal(np.asarray(batch[name]), value, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="numpy | npy:WORKERS | hf[:transformers]:WORKERS | litdata:CHUNK:WORKERS | rankfeed")
    parser.add_argument("--work", choices=WORKS, required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--run")
    args = parser.parse_args()

    data = arrays(Path(args.data))
    total = len(data[2])
    source = build(args.name, args)
    timed = []
    for epoch in range(args.epochs + 1):
        seen = []
        begin = time.perf_counter()
        for batch in source:
            rows = numbers(batch, args.work)
            seen.append(rows)
            if epoch == 0:
                check(batch, rows, args.work, data)
        seconds = time.perf_counter() - begin
        rows = np.concatenate(seen)
        if len(np.unique(rows)) != len(rows) or len(rows) < total - 2 * args.batch:
            sys.exit(f"{args.name}: epoch {epoch} delivered {len(rows)} rows of {total}, {len(np.unique(rows))} different")
        if epoch:
            timed.append(len(rows) / seconds)
    print(json.dumps({"name": args.name, "rowsPerSecond": timed}))


if __name__ == "__main__":
    main()
