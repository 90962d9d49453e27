"""Every loader in a process of its own, in turn, several rounds; medians and ratios side by side."""

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

HERE = Path(__file__).resolve().parent
LOADERS = ["limit", "rankfeed", "dataloader-cv2", "dataloader-pillow", "litdata", "webdataset"]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def version(args, work: Path) -> Path:
    run = f"bench-{args.rows}"
    subprocess.run([sys.executable, HERE / "data.py", "--rows", str(args.rows), "--out", work], check=True)
    over = [f"root={work / 'root'}", f"sources.table.parquet={work / 'table'}"]
    words = [word for setting in over for word in ("--set", setting)]
    subprocess.run([args.home / "rankfeed", "pipeline", HERE / "images.yaml", "--run-id", run, *words], check=True)
    facts = json.loads((work / "root" / "bench-images" / "runs" / run / "run.json").read_text())
    return work / "root" / "bench-images" / "versions" / facts["version"]


def feeder(args, made: Path, env: dict) -> subprocess.Popen:
    words = [
        "feed",
        made,
        "--config",
        HERE / "feed.yaml",
        "--run",
        "bench",
        "--world",
        "1",
        "--workers",
        "1",
        "--in-place",
    ]
    process = subprocess.Popen([args.home / "rankfeed", *words], env=env, stdout=subprocess.DEVNULL)
    ready = Path(env["XDG_RUNTIME_DIR"]) / "rankfeed" / "bench" / "feeder.json"
    deadline = time.monotonic() + 120
    while not ready.exists():
        if process.poll() is not None or time.monotonic() > deadline:
            sys.exit(f"the feeder did not come up (exit code {process.poll()})")
        time.sleep(0.05)
    return process


def measure(name: str, args, work: Path, env: dict) -> list[float]:
    words = ["--data", work, "--rows", str(args.rows), "--epochs", str(args.epochs)]
    done = subprocess.run(
        [sys.executable, HERE / "loaders.py", name, *words],
        env=env,
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])["rowsPerSecond"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=20_000)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=LOADERS, default=LOADERS)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "images"
    work.parent.mkdir(parents=True, exist_ok=True)
    made = version(args, work)

    figures: dict[str, list[float]] = {name: [] for name in args.only}
    with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
        env = {**os.environ, "XDG_RUNTIME_DIR": runtime}
        for number in range(args.rounds):
            for name in args.only:
                # The feeder would else fill its ring while others are measured.
                process = feeder(args, made, env) if name == "rankfeed" else None
                rates = measure(name, args, work, env)
                if process is not None:
                    process.terminate()
                    process.wait(30)
                figures[name] += rates
                say(f"round {number + 1}/{args.rounds}  {name:20s} {statistics.median(rates):10,.0f} images/s")

    medians = {name: statistics.median(rates) for name, rates in figures.items()}
    print(f"\n| loader | images/s (median of {args.rounds}) | min–max | against rankfeed |\n|---|---|---|---|")
    for name, rate in sorted(medians.items(), key=lambda item: -item[1]):
        share = f"{rate / medians['rankfeed']:.2f}" if "rankfeed" in medians else ""
        print(f"| {name} | {rate:,.0f} | {min(figures[name]):,.0f}–{max(figures[name]):,.0f} | {share} |")
    (work.parent / "images.json").write_text(json.dumps({"imagesPerSecond": figures}, indent=2) + "\n")


if __name__ == "__main__":
    main()
