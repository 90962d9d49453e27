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
    "huggingface:2",
    "grain:0",
    "grain:2",
    "spdl:2",
    "mds:2",
    *[f"litdata:{chunk}:2" for chunk in CHUNKS],
]
HERE = Path(__file__).resolve().parent


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def prepare(args, work: Path) -> Path:
    """Writes the rows, runs the pipeline once, and returns the version's folder."""
    subprocess.run(
        [sys.executable, HERE / "data.py", "--rows", str(args.rows), "--out", work, "--chunks", *map(str, CHUNKS)], check=True
    )
    subprocess.run([python(args, "mds"), HERE / "data.py", "--rows", str(args.rows), "--out", work, "--mds"], check=True)
    run = f"bench-{args.rows}-{args.batch}-{args.epochs}"
    root = work / f"root-{run}"  # an export that finds its version keeps the plan of that version, and so its epochs
    started = time.perf_counter()
    subprocess.run(
        [
            args.home / "rankfeed", "pipeline", HERE / "tokens.yaml", "--run-id", run,
            "--set", f"root={root}", "--set", f"sources.table.parquet={work / 'table'}", "--set", f"sample.train.batch={args.batch}",
            "--set", f"sample.train.epochs={args.epochs + 1}",
        ],
        check=True,
    )  # fmt: skip
    say(f"pipeline: {time.perf_counter() - started:.1f} s, Spark's start included")
    facts = json.loads((root / "bench-tokens" / "runs" / run / "run.json").read_text())
    return root / "bench-tokens" / "versions" / facts["version"]


def python(args, kind: str) -> Path:
    return args.home / ".envs" / ("peers-mds" if kind == "mds" else "peers-tokens") / "bin" / "python"


def measure(name: str, args, work: Path, run: str, env: dict, pid: int) -> dict:
    kind = name.split(":")[0]
    command = [python(args, kind), HERE / "loaders.py", name, "--data", work, "--batch", str(args.batch), "--epochs", str(args.epochs)]
    if kind == "rankfeed":
        command += ["--run", run, "--feeder", str(pid)]
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


def spread(values: list[float], form: str) -> str:
    return f"{min(values):{form}}–{max(values):{form}}"


def against(figures: dict[str, list[float]], name: str) -> str:
    """Compares the two of each round, which the machine's speed changes alike."""
    if "numpy" not in figures:
        return " | | "
    ratios = [value / limit for value, limit in zip(figures[name], figures["numpy"], strict=True)]
    return f" | {statistics.median(ratios):.3f} | {spread(ratios, '.3f')}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", nargs="+", choices=LOADERS, default=LOADERS)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / f"tokens-{args.rows}"
    version = prepare(args, work)

    figures: dict[str, list[float]] = {name: [] for name in args.only}
    cores: dict[str, list[float]] = {name: [] for name in args.only}
    with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
        env = {**os.environ, "XDG_RUNTIME_DIR": runtime}
        process = feeder(args, version, "bench", env)
        try:
            for name in [name for name in args.only if name.startswith("rankfeed")] * 2:
                measure(name, args, work, "bench", env, process.pid)  # the JVM compiles its code in the first million rows
            for round_number in range(args.rounds):
                for name in args.only:
                    result = measure(name, args, work, "bench", env, process.pid)
                    figures[name].append(statistics.median(result["rowsPerSecond"]))
                    cores[name].append(statistics.median(result["cpuSecondsPerMillionRows"]))
                    say(f"round {round_number + 1}/{args.rounds}  {name:24s} {statistics.median(result['rowsPerSecond']):12,.0f} rows/s")
            small = handoff(args, "bench", env)
        finally:
            process.terminate()
            process.wait(30)

    medians = {name: statistics.median(values) for name, values in figures.items()}
    print(f"\n| loader | rows/s (median of {args.rounds} rounds) | range | against the numpy gather | range | CPU seconds per million rows |")
    print("|---|---|---|---|---|---|")
    for name, value in sorted(medians.items(), key=lambda item: -item[1]):
        print(f"| {name} | {value:,.0f} | {spread(figures[name], ',.0f')}{against(figures, name)} | {statistics.median(cores[name]):.2f} |")
    for kind, others in (("processes", [name for name in medians if name.endswith(":2") and name != "spdl:2"]), ("threads", ["spdl:2"])):
        others = [name for name in others if name in medians]
        if others and "rankfeed:torch" in medians:
            best = max(others, key=lambda name: medians[name])
            ratios = [a / b for a, b in zip(figures["rankfeed:torch"], figures[best], strict=True)]
            print(f"\nrankfeed against the best loader with worker {kind}, {best}: {statistics.median(ratios):.1f} × ({spread(ratios, '.1f')})")
    print("\n| part of a handoff | median, µs | p99, µs |\n|---|---|---|")
    print(f"| a frame of 16 bytes wakes another process | {small['wake']['median']:.1f} | {small['wake']['p99']:.1f} |")
    for output in ("numpy", "torch"):
        for part, words in (("next", "request of a small batch"), ("tensors", "creating three tensors (part of the request)"), ("release", "releasing the batch")):
            print(f"| {output}: {words} | {small[output][part]['median']:.1f} | {small[output][part]['p99']:.1f} |")
        print(f"| {output}: user CPU time of the client, request and release (mean) | {small[output]['python']:.1f} | |")
        print(f"| {output}: filling a slot, in the feeder (mean) | {small[output]['fill']:.1f} | |")
    (work.parent / "tokens.json").write_text(json.dumps({"rowsPerSecond": figures, "cpuSecondsPerMillionRows": cores, "handoff": small}, indent=2) + "\n")


if __name__ == "__main__":
    main()
