"""Runs every loader in a process of its own, in turn, several rounds, and prints medians and ratios side by side."""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CHUNKS = [256, 4096, 16384]
LOADERS = [
    "numpy",
    "rankfeed:numpy",
    "rankfeed:torch",
    "dataloader:item:0",
    "dataloader:batched:0",
    "dataloader:item:2",
    "dataloader:batched:2",
    *[f"litdata:{chunk}:{workers}" for chunk in CHUNKS for workers in (0, 2)],
]
HERE = Path(__file__).resolve().parent


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def prepare(args, work: Path) -> Path:
    """Writes the rows, runs the pipeline once, and returns the version's folder."""
    subprocess.run(
        [sys.executable, HERE / "data.py", "--rows", str(args.rows), "--out", work, "--chunks", *map(str, CHUNKS)], check=True
    )
    run = f"bench-{args.rows}-{args.batch}-{args.epochs}"
    started = time.perf_counter()
    subprocess.run(
        [
            args.home / "rankfeed", "pipeline", HERE / "tokens.yaml", "--run-id", run,
            "--set", f"root={work / 'root'}", "--set", f"sources.table.parquet={work / 'table'}", "--set", f"sample.train.batch={args.batch}",
            "--set", f"sample.train.epochs={args.epochs + 1}",
        ],
        check=True,
    )  # fmt: skip
    say(f"pipeline: {time.perf_counter() - started:.1f} s, Spark's start included")
    facts = json.loads((work / "root" / "bench-tokens" / "runs" / run / "run.json").read_text())
    return work / "root" / "bench-tokens" / "versions" / facts["version"]


def measure(name: str, args, work: Path, run: str, env: dict) -> dict:
    command = [sys.executable, HERE / "loaders.py", name, "--data", work, "--batch", str(args.batch), "--epochs", str(args.epochs), "--run", run]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def handoff(args, run: str, env: dict) -> dict:
    done = subprocess.run([sys.executable, HERE / "handoff.py", "--run", run], env=env, capture_output=True, text=True, timeout=300)
    if done.returncode:
        sys.exit(f"handoff failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def feeder(args, version: Path, run: str, env: dict, depth: int = 4) -> subprocess.Popen:
    process = subprocess.Popen(
        [args.home / "rankfeed", "feed", version, "--run", run, "--world", "1", "--in-place", "--depth", str(depth)],
        env=env, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    ready = Path(env["XDG_RUNTIME_DIR"]) / "rankfeed" / run / "feeder.json"
    deadline = time.monotonic() + 120
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the feeder did not come up (exit code {process.poll()})")
        time.sleep(0.05)
    return process


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "tokens"
    version = prepare(args, work)

    figures: dict[str, list[float]] = {name: [] for name in LOADERS}
    with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
        env = {**os.environ, "XDG_RUNTIME_DIR": runtime}
        process = feeder(args, version, "bench", env)
        try:
            for round_number in range(args.rounds):
                for name in LOADERS:
                    result = measure(name, args, work, "bench", env)
                    figures[name] += result["rowsPerSecond"]
                    say(f"round {round_number + 1}/{args.rounds}  {name:24s} {statistics.median(result['rowsPerSecond']):12,.0f} rows/s")
            small = handoff(args, "bench", env)
        finally:
            process.terminate()
            process.wait(30)

    medians = {name: statistics.median(values) for name, values in figures.items()}
    ours = medians["rankfeed:torch"]
    workers = max(value for name, value in medians.items() if name.endswith(":2"))
    print(f"\n| loader | rows/s (median of {args.rounds} × {args.epochs} epochs) | min–max | against the numpy gather |\n|---|---|---|---|")
    for name, value in sorted(medians.items(), key=lambda item: -item[1]):
        low, high = min(figures[name]), max(figures[name])
        print(f"| {name} | {value:,.0f} | {low:,.0f}–{high:,.0f} | {value / medians['numpy']:.3f} |")
    print(f"\nrankfeed against the numpy gather: {ours / medians['numpy']:.2f} ×; against the best loader with worker processes: {ours / workers:.1f} ×")
    print(f"handoff of a small batch (8 rows × 1 KiB): median {small['medianMicros']:.1f} µs, p99 {small['p99Micros']:.1f} µs")
    (work.parent / "tokens.json").write_text(json.dumps({"rowsPerSecond": figures, "handoff": small}, indent=2) + "\n")


if __name__ == "__main__":
    main()
