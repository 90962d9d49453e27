"""Packs 1,000,000 rows of tokens to sequences of 2,048: rankfeed prepare, TRL, and a plain map of datasets, from disk to disk.

Seconds are of whole processes: of rankfeed with the start of Spark, of the others with the import of their libraries.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np

TO = 2048
VOCABULARY = 32_000
HERE = Path(__file__).resolve().parent
PACKERS = ["rankfeed", "trl:1", "trl:2", "map:2"]


def write(rows: int, work: Path) -> None:
    """Lengths of 16 to 2,048, log-normal around 250, as a Parquet table and as an Arrow dataset."""
    import datasets
    import pyarrow as pa
    import pyarrow.parquet as pq

    random = np.random.default_rng(11)
    lengths = np.clip(np.exp(random.normal(5.3, 0.8, rows)), 16, TO).astype(np.int64)
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

    kind, workers = name.split(":")
    rows = datasets.load_from_disk(str(work / "hf"))
    processes = int(workers) if int(workers) > 1 else None
    if kind == "trl":
        from trl import pack_dataset

        packed = pack_dataset(rows, seq_length=TO, strategy="bfd", map_kwargs={"num_proc": processes, "load_from_cache_file": False})
    else:
        packed = rows.map(best_fit, batched=True, num_proc=processes, load_from_cache_file=False)
    tokens = sum(int(n) for lengths in packed["seq_lengths"] for n in lengths)
    print(json.dumps({"sequences": len(packed), "tokens": tokens}))


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
        command = [sys.executable, Path(__file__), "--home", args.home, "--one", name]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - begin
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr[-3000:]}")
    if name != "rankfeed":
        return {"seconds": seconds, **json.loads(done.stdout.splitlines()[-1])}
    import pyarrow.dataset as ds

    table = ds.dataset(next((work / "root" / "bench-pack" / "prepared").glob("*/data"))).to_table(columns=["token_count"])
    return {"seconds": seconds, "sequences": table.num_rows, "tokens": int(np.sum(table["token_count"].to_numpy()))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=PACKERS, default=PACKERS)
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "pack"
    if args.one:
        pack(args.one, work)
        return
    if not (work / "table").exists():
        shutil.rmtree(work, ignore_errors=True)
        write(args.rows, work)
    results: dict[str, list[dict]] = {name: [] for name in args.only}
    for round_number in range(args.rounds):
        for name in args.only:
            results[name].append(run(name, args, work))
            print(f"round {round_number + 1}/{args.rounds} {name}: {results[name][-1]}", file=sys.stderr, flush=True)
    print("| packer | s (median) | rows/s | padding | rankfeed against it |\n|---|---|---|---|---|")
    ours = statistics.median(result["seconds"] for result in results.get("rankfeed", [{"seconds": float("nan")}]))
    for name, found in results.items():
        seconds = statistics.median(result["seconds"] for result in found)
        free = 1 - found[-1]["tokens"] / (found[-1]["sequences"] * TO)
        print(f"| {name} | {seconds:.1f} | {args.rows / seconds:,.0f} | {100 * free:.2f} % | {seconds / ours:.2f} × |")
    (work.parent / "pack.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
