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

CHUNKS = [256, 4096]
LOADERS = {
    "padded": ["numpy", "rankfeed", "npy:2", "hf:2", *[f"litdata:{chunk}:2" for chunk in CHUNKS]],
    "flat": ["numpy", "rankfeed", "npy:2", "hf:2", "hf:transformers:2", "npy:transformers:2"],
}
HERE = Path(__file__).resolve().parent


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def prepare(args, work: Path) -> Path:
    """Writes the rows, runs the pipeline once, and returns the version's folder."""
    subprocess.run([sys.executable, HERE / "data.py", "--rows", str(args.rows), "--out", work, "--chunks", *map(str, CHUNKS)], check=True)
    run = f"bench-{args.rows}-{args.epochs}"
    subprocess.run(
        [
            args.home / "rankfeed", "pipeline", HERE / "text.yaml", "--run-id", run, "--set", f"root={work / 'root'}",
            "--set", f"sources.table.parquet={work / 'table'}", "--set", f"sample.train.epochs={args.epochs + 1}",
        ],
        check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    facts = json.loads((work / "root" / "bench-text" / "runs" / run / "run.json").read_text())
    return work / "root" / "bench-text" / "versions" / facts["version"]


def measure(name: str, kind: str, args, work: Path, env: dict) -> list[float]:
    command = [sys.executable, HERE / "loaders.py", name, "--work", kind, "--data", work, "--epochs", str(args.epochs), "--run", "bench"]
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=900)
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])["rowsPerSecond"]


def feeder(kind: str, args, version: Path, env: dict) -> subprocess.Popen:
    run = f"bench-{kind}"
    process = subprocess.Popen(
        [args.home / "rankfeed", "feed", version, "--run", run, "--world", "1", "--in-place", "--config", HERE / f"{kind}.yaml"],
        env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    ready = Path(env["XDG_RUNTIME_DIR"]) / "rankfeed" / run / "feeder.json"
    deadline = time.monotonic() + 120
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the feeder did not come up (exit code {process.poll()})")
        time.sleep(0.05)
    return process


def table(kind: str, figures: dict[str, list[float]], args) -> None:
    medians = {name: statistics.median(values) for name, values in figures.items()}
    print(f"\n{kind}, {args.rows:,} rows, batch 32\n| loader | rows/s (median of {args.rounds} × {args.epochs} epochs) | min–max | rankfeed against it |")
    print("|---|---|---|---|")
    for name, value in sorted(medians.items(), key=lambda item: -item[1]):
        low, high = min(figures[name]), max(figures[name])
        print(f"| {name} | {value:,.0f} | {low:,.0f}–{high:,.0f} | {medians['rankfeed'] / value:.2f} × |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--work", nargs="+", choices=LOADERS, default=list(LOADERS))
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", help="these loaders instead of all")
    args = parser.parse_args()
    work = args.home / "build" / "bench" / f"text-{args.rows}"
    version = prepare(args, work)
    results = {}
    for kind in args.work:
        names = [name for name in LOADERS[kind] if not args.only or name in args.only]
        figures: dict[str, list[float]] = {name: [] for name in names}
        with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
            env = {**os.environ, "XDG_RUNTIME_DIR": runtime}
            process = feeder(kind, args, version, env)
            try:
                for round_number in range(args.rounds):
                    for name in names:
                        figures[name] += measure(name, kind, args, work, env)
                        say(f"{kind} round {round_number + 1}/{args.rounds}  {name:24s} {statistics.median(figures[name]):12,.0f} rows/s")
            finally:
                process.terminate()
                process.wait(30)
        table(kind, figures, args)
        results[kind] = figures
    (work.parent / "text.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
