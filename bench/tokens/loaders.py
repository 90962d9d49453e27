"""One loader, one process: a checked warm-up epoch, then timed epochs. Prints one JSON line.

Every loader delivers batches of `batch` rows of 512 int16 tokens in shuffled order. A row begins with its own number (int32), so that each epoch's
rows are checked: in the warm-up every value, in the timed epochs that no row came twice and the count is right.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np

TOKENS = 512


def memmap(data: Path) -> np.ndarray:
    return np.load(data / "tokens.npy", mmap_mode="r")


class Permuted:
    """Gathers with numpy: the upper limit of a process without a loader."""

    def __init__(self, rows: np.ndarray, batch: int):
        self.rows, self.batch, self.epoch = rows, batch, 0

    def __iter__(self):
        order = np.random.default_rng(self.epoch).permutation(len(self.rows))
        self.epoch += 1
        for start in range(0, len(order) - self.batch + 1, self.batch):
            yield self.rows[order[start : start + self.batch]]


def numpy_gather(data: Path, batch: int, **_):
    return Permuted(memmap(data), batch)


def dataloader(data: Path, batch: int, workers: int, batched: bool):
    import torch
    from torch.utils.data import DataLoader, Dataset

    class Rows(Dataset):
        def __init__(self):
            self.rows = memmap(data)

        def __len__(self):
            return len(self.rows)

        def __getitem__(self, i):
            return torch.from_numpy(self.rows[i].copy())

    class Batches(Rows):
        def __getitems__(self, indices):
            return torch.from_numpy(self.rows[np.asarray(indices)])

    more = {"collate_fn": lambda whole: whole} if batched else {}
    return DataLoader(
        Batches() if batched else Rows(),
        batch_size=batch,
        shuffle=True,
        drop_last=True,
        num_workers=workers,
        persistent_workers=workers > 0,
        **more,
    )


def litdata(data: Path, batch: int, workers: int, chunk: int):
    from litdata import StreamingDataLoader, StreamingDataset

    dataset = StreamingDataset(str(data / f"litdata-{chunk}"), shuffle=True, drop_last=True)
    return StreamingDataLoader(dataset, batch_size=batch, num_workers=workers, drop_last=True, persistent_workers=workers > 0)


def huggingface(data: Path, batch: int, workers: int):
    """Reads its Arrow dataset as its guide for PyTorch has it: numpy's format, whole batches of indices."""
    import torch
    from datasets import load_from_disk
    from torch.utils.data import DataLoader

    rows = load_from_disk(str(data / "hf")).with_format("numpy", dtype=np.int16)
    return DataLoader(
        rows,
        batch_size=batch,
        shuffle=True,
        drop_last=True,
        num_workers=workers,
        persistent_workers=workers > 0,
        collate_fn=lambda found: torch.from_numpy(np.stack([row["tokens"] for row in found])),
    )


class Grain:
    """Shuffles and batches indices in the process and gathers whole batches, in threads or in worker processes."""

    def __init__(self, data: Path, batch: int, workers: int):
        import grain

        self.grain, self.data, self.batch, self.workers, self.epoch = grain, data, batch, workers, 0

    def __iter__(self):
        rows = memmap(self.data)
        indices = self.grain.MapDataset.range(len(rows)).shuffle(seed=self.epoch).batch(self.batch, drop_remainder=True)
        self.epoch += 1
        batches = indices.map(lambda at: rows[at])
        read = self.grain.ReadOptions(num_threads=2, prefetch_buffer_size=4)
        loaded = batches.to_iter_dataset(read)
        if self.workers:
            loaded = loaded.mp_prefetch(self.grain.MultiprocessingOptions(num_workers=self.workers))
        return iter(loaded)


class Spdl:
    """Gathers whole batches in threads of its pipeline."""

    def __init__(self, data: Path, batch: int, threads: int):
        self.rows, self.batch, self.threads, self.epoch = memmap(data), batch, threads, 0

    def __iter__(self):
        from spdl.pipeline import PipelineBuilder

        order = np.random.default_rng(self.epoch).permutation(len(self.rows))
        self.epoch += 1
        starts = range(0, len(order) - self.batch + 1, self.batch)
        source = (order[start : start + self.batch] for start in starts)
        built = PipelineBuilder().add_source(source).pipe(lambda at: self.rows[at], concurrency=self.threads).add_sink(4)
        pipeline = built.build(num_threads=self.threads)
        with pipeline.auto_stop():
            yield from pipeline


def mds(data: Path, batch: int, workers: int):
    from streaming import StreamingDataset
    from torch.utils.data import DataLoader

    rows = StreamingDataset(local=str(data / "mds"), shuffle=True, batch_size=batch)
    return DataLoader(
        rows,
        batch_size=batch,
        drop_last=True,
        num_workers=workers,
        persistent_workers=workers > 0,
        collate_fn=lambda found: np.stack([row["tokens"] for row in found]),
    )


class Fed:
    """Reads from rankfeed: the feeder's slot itself, no copy (`copies=False`), or a copy of it."""

    def __init__(self, run: str, output: str):
        import rankfeed

        self.feed = rankfeed.Feed(run, output=output, columns=["tokens"], rank=0, world=1)

    def __iter__(self):
        for batch in self.feed:
            yield batch["tokens"]


def cpu_seconds(feeder: int | None) -> float:
    """Returns what this process, the feeder and their children have used, those that have ended included."""
    used = 0.0
    waiting = [os.getpid(), *([feeder] if feeder else [])]
    while waiting:
        process = Path("/proc") / str(waiting.pop())
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):  # it has ended
            times = (process / "stat").read_text().rpartition(")")[2].split()
            used += sum(map(int, times[11:15])) / os.sysconf("SC_CLK_TCK")
            for task in (process / "task").iterdir():
                with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                    waiting += map(int, (task / "children").read_text().split())
    return used


def as_array(batch) -> np.ndarray:
    return batch if isinstance(batch, np.ndarray) else batch.numpy()


def one_epoch(loader, ids: np.ndarray, expect: np.ndarray | None) -> tuple[int, float]:
    """Runs one epoch; returns (rows, seconds). Fills ids with the number that each row bears."""
    at = 0
    begin = time.perf_counter()
    for batch in loader:
        rows = as_array(batch)
        n = len(rows)
        ids[at : at + n] = rows.view(np.int32)[:, 0]
        if expect is not None:
            np.testing.assert_array_equal(rows, expect[ids[at : at + n]])
        at += n
    return at, time.perf_counter() - begin


def build(name: str, args) -> object:
    data = Path(args.data)
    kind, *rest = name.split(":")
    if kind == "numpy":
        return numpy_gather(data, args.batch)
    if kind == "dataloader":
        return dataloader(data, args.batch, int(rest[1]), rest[0] == "batched")
    if kind == "litdata":
        return litdata(data, args.batch, int(rest[1]), int(rest[0]))
    if kind == "huggingface":
        return huggingface(data, args.batch, int(rest[0]))
    if kind == "grain":
        return Grain(data, args.batch, int(rest[0]))
    if kind == "spdl":
        return Spdl(data, args.batch, int(rest[0]))
    if kind == "mds":
        return mds(data, args.batch, int(rest[0]))
    if kind == "rankfeed":
        return Fed(args.run, rest[0])
    raise SystemExit(f"unknown loader {name}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="numpy | dataloader:item|batched:WORKERS | litdata:CHUNK:WORKERS | huggingface|grain|spdl|mds:WORKERS | …")
    parser.add_argument("--data", required=True)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--run")
    parser.add_argument("--feeder", type=int, help="process id of the feeder")
    args = parser.parse_args()

    expect = memmap(Path(args.data))
    total = len(expect)
    ids = np.empty(total, np.int32)
    loader = build(args.name, args)
    timed, cores = [], []
    for epoch in range(args.epochs + 1):
        before = cpu_seconds(args.feeder)
        rows, seconds = one_epoch(loader, ids, expect if epoch == 0 else None)
        used = cpu_seconds(args.feeder) - before
        if len(np.unique(ids[:rows])) != rows:
            sys.exit(f"{args.name}: epoch {epoch} delivered a row twice")
        if rows < total - 2 * args.batch:
            sys.exit(f"{args.name}: epoch {epoch} delivered {rows} of {total} rows")
        if epoch:
            timed.append(rows / seconds)
            cores.append(used / rows * 1e6)
    print(json.dumps({"name": args.name, "rowsPerSecond": timed, "cpuSecondsPerMillionRows": cores, "rows": rows}))


if __name__ == "__main__":
    main()
