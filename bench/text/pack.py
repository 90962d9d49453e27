"""Packs 1,000,000 rows of tokens to sequences of 2,048: rankfeed prepare, TRL, and a plain map of datasets, from disk to disk.

Seconds are of whole processes. The start is the part before the work: that of Spark, or the import of libraries.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from clock import Clock

TO = 2048
VOCABULARY = 32_000
PACKERS = ["rankfeed", "trl:1", "trl:2", "map:2"]
LENGTHS = ["log-normal", "contests"]
CONTESTS = 50_000


def drawn(kind: str, rows: int, home: Path, random: np.random.Generator) -> np.ndarray:
    """Returns lengths of 16 to 2,048: log-normal around 250, or those of generated CodeContests rows, four bytes to a token."""
    if kind == "log-normal":
        found = np.exp(random.normal(5.3, 0.8, rows))
    else:
        out = home / "build" / "bench" / "pack" / "codecontests"
        shutil.rmtree(out, ignore_errors=True)
        words = ["generate", "codecontests", "--format", "jsonl", "--rows", str(CONTESTS), "--out", out]
        subprocess.run([home / "rankfeed", *words], check=True, stdout=sys.stderr)
        lines = (json.loads(line) for part in sorted(out.glob("part-*")) for line in part.open())
        texts = ("".join(row[name] or "" for name in ("instruction", "input", "output")) for row in lines)
        found = random.choice([len(text.encode()) / 4 for text in texts], rows)
        shutil.rmtree(out)
    return np.clip(found, 16, TO).astype(np.int64)


def write(rows: int, lengths: np.ndarray, random: np.random.Generator, work: Path) -> None:
    """Writes a Parquet table and an Arrow dataset of it."""
    import datasets
    import pyarrow as pa
    import pyarrow.parquet as pq

    offsets = np.concatenate([[0], np.cumsum(lengths)])
    (work / ".table").mkdir(parents=True, exist_ok=True)
    for part, start in enumerate(range(0, rows, 250_000)):
        end = min(start + 250_000, rows)
        bounds = (offsets[start : end + 1] - offsets[start]).astype(np.int32)
        tokens = random.integers(1, VOCABULARY, bounds[-1], dtype=np.int32)
        lists = pa.ListArray.from_arrays(pa.array(bounds), pa.array(tokens))
        table = pa.table({"row": np.arange(start, end), "tokens": lists})
        pq.write_table(table, work / ".table" / f"part-{part}.parquet", compression="zstd", row_group_size=50_000, use_dictionary=False)
    files = [str(file) for file in sorted((work / ".table").glob("*.parquet"))]
    rows_only = datasets.Dataset.from_parquet(files, columns=["tokens"], cache_dir=str(work / "cache"))
    rows_only.save_to_disk(work / "hf")
    (work / ".table").rename(work / "table")


def best_fit(batch: dict) -> dict:
    """Packs by best fit decreasing in Python, as a user would write it."""
    bins: list[tuple[int, list[int]]] = []
    order = sorted(range(len(batch["tokens"])), key=lambda i: -len(batch["tokens"][i]))
    for i in order:
        length = len(batch["tokens"][i])
        fitting = [(room, k) for k, (room, _) in enumerate(bins) if room >= length]
        if fitting:
            room, k = min(fitting)
            bins[k][1].append(i)
            bins[k] = (room - length, bins[k][1])
        else:
            bins.append((TO - length, [i]))
    return {
        "tokens": [[token for i in members for token in batch["tokens"][i]] for _, members in bins],
        "seq_lengths": [[len(batch["tokens"][i]) for i in members] for _, members in bins],
    }


def pack(name: str, work: Path) -> None:
    """Runs one of the other packers in this process."""
    import datasets
    import pyarrow.compute as pc
    from trl import pack_dataset

    kind, workers = name.split(":")
    processes = int(workers) if int(workers) > 1 else None
    begin = time.perf_counter()
    rows = datasets.load_from_disk(str(work / "hf"))
    if kind == "trl":
        packed = pack_dataset(rows, seq_length=TO, strategy="bfd", map_kwargs={"num_proc": processes, "load_from_cache_file": False})
    else:
        packed = rows.map(best_fit, batched=True, num_proc=processes, load_from_cache_file=False)
    seconds = time.perf_counter() - begin
    tokens = pc.sum(pc.list_flatten(packed.data.column("seq_lengths"))).as_py()
    print(json.dumps({"work": seconds, "sequences": len(packed), "tokens": tokens}))


def run(name: str, args, work: Path) -> dict:
    if name == "rankfeed":
        shutil.rmtree(work / "root", ignore_errors=True)
        command = [
            args.home / "rankfeed", "prepare", HERE / "pack.yaml", "--run-id", "bench", "--set", f"root={work / 'root'}",
            "--set", f"sources.table.parquet={work / 'table'}",
        ]  # fmt: skip
    else:
        for cached in (work / "hf").glob("cache-*"):
            cached.unlink()
        command = [sys.executable, Path(__file__), "--home", args.home, "--lengths", args.lengths, "--rows", str(args.rows), "--one", name]
    with Clock() as clock:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr[-3000:]}")
    os.sync()  # what one left in the page cache is not written out during the next one's time
    found = packed_by_us(work) if name == "rankfeed" else json.loads(done.stdout.splitlines()[-1])
    return {"seconds": clock.seconds, "cpu": clock.cpu, **found}


def packed_by_us(work: Path) -> dict:
    import pyarrow.dataset as ds

    folder = work / "root" / "bench-pack"
    phases = json.loads((folder / "runs" / "bench" / "run.json").read_text())["phases"]
    table = ds.dataset(next((folder / "prepared").glob("*/data"))).to_table(columns=["token_count"])
    tokens = int(np.sum(table["token_count"].to_numpy()))
    return {"work": sum(float(phase["seconds"]) for phase in phases), "sequences": table.num_rows, "tokens": tokens}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--lengths", choices=LENGTHS, default=LENGTHS[0])
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", choices=PACKERS, default=PACKERS[:3])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "pack" / f"{args.lengths}-{args.rows}"
    if args.one:
        pack(args.one, work)
        return
    if not (work / "table").exists():
        shutil.rmtree(work, ignore_errors=True)
        random = np.random.default_rng(11)
        write(args.rows, drawn(args.lengths, args.rows, args.home, random), random, work)
    results: dict[str, list[dict]] = {name: [] for name in args.only}
    for round_number in range(args.rounds):
        for name in args.only:
            results[name].append(run(name, args, work))
            print(f"round {round_number + 1}/{args.rounds} {name}: {results[name][-1]}", file=sys.stderr, flush=True)
    if len({found["tokens"] for name in args.only for found in results[name]}) > 1:
        sys.exit(f"the packers kept different numbers of tokens: {results}")
    print("| packer | s (median) | start, s | CPU, s | rows/s | free token positions | rankfeed against it | … without start |")
    print("|---|---|---|---|---|---|---|---|")
    middle = {name: {key: statistics.median(run[key] for run in found) for key in found[0]} for name, found in results.items()}
    ours = middle.get("rankfeed", {"seconds": float("nan"), "work": float("nan")})
    for name, one in middle.items():
        free = 100 - 100 * one["tokens"] / (one["sequences"] * TO)
        print(f"| {name} | {one['seconds']:.1f} | {one['seconds'] - one['work']:.1f} | {one['cpu']:.1f} | {args.rows / one['seconds']:,.0f}"
              f" | {free:.2f} % | {one['seconds'] / ours['seconds']:.2f} × | {one['work'] / ours['work']:.2f} × |")
    (work.parent.parent / f"pack-{args.lengths}.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
