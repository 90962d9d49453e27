"""Diagnoses feeds that one side limits, compares predictions with measurements and the advice with a sweep; then a governed feed."""

from __future__ import annotations

import argparse
import io
import json
import shutil
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
SLOW_DISK = "gpu-feeder/python/tests/e2e/slow_disk.py"
IMAGES, SIDE, SHOWN = 2_000, 250, 224
ROWS, NUMBERS = 2_600, 2_048
WORKERS, DEPTHS = [0, 1, 2, 4, 8], [2, 3, 5, 9]
RUNS = 5
FEED = f"""feeds:
  train:
    columns:
      - {{name: pixels, from: image, steps: [decode, {{resize: {{height: {SHOWN}, width: {SHOWN}}}}}]}}
"""
Settings = tuple[int, int]
"""Workers and depth."""


@dataclass(frozen=True)
class Limit:
    """A feed that one side limits: its version, the batches that are measured, and the trainer's time for a batch."""

    name: str
    version: str
    batches: int
    millis: float = 0
    config: Path | None = None
    disk: Path | None = None


class Bench:
    def __init__(self, home: Path, work: Path):
        self.home, self.work = home, work
        self.config = work / "images.yaml"

    def rankfeed(self, *words: object, disk: Path | None = None) -> subprocess.CompletedProcess[str]:
        command = [self.home / "rankfeed", *words]
        if disk:
            command = ["unshare", "-rm", sys.executable, "-P", self.home / SLOW_DISK, self.work / "rows", disk, 6e6, *command]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"rankfeed {' '.join(map(str, words))} failed:\n{done.stderr}")
        return done

    def prepare(self) -> None:
        """Writes the files, and a version over each kind with a plan of enough epochs."""
        shutil.rmtree(self.work, ignore_errors=True)
        random = np.random.default_rng(1)
        for number in range(IMAGES):
            folder = self.work / "images" / f"{number % 10}"
            folder.mkdir(parents=True, exist_ok=True)
            small = Image.fromarray(random.integers(0, 256, (12, 12, 3), dtype=np.uint8)).resize((SIDE, SIDE), Image.Resampling.BICUBIC)
            noisy = np.clip(np.asarray(small) + random.normal(0, 9, (SIDE, SIDE, 3)), 0, 255).astype(np.uint8)
            encoded = io.BytesIO()
            Image.fromarray(noisy).save(encoded, "JPEG", quality=90)
            (folder / f"{number:05}.jpg").write_bytes(encoded.getvalue())
        (self.work / "rows").mkdir()
        np.save(self.work / "rows" / "features.npy", random.random((ROWS, NUMBERS)))
        self.config.write_text(FEED)
        for name, batch, epochs in [("images", 64, 50), ("rows", 36, 1)]:
            words = ["--as", name, "--root", self.work / "root", "--lanes", 4, "--batch", batch]
            self.rankfeed("import", self.work / name, *words)
            self.rankfeed("plan", self.version(name), "--name", "bench", "--set", f"epochs={epochs}")

    def version(self, name: str) -> str:
        return f"{self.work / 'root' / name}@latest"

    def diagnosed(self, limit: Limit, settings: Settings | None = None) -> dict:
        words = ["--in-place", "--json", "--plan", "bench", "--world", 1, "--verify", "off", "--batches", limit.batches]
        words += ["--config", limit.config] if limit.config else []
        words += ["--workers", settings[0], "--depth", settings[1]] if settings else []
        if limit.disk:
            words += [f"--external=rows={limit.disk}"]
        trainer = ["--", sys.executable, HERE / "take.py", limit.millis]
        return json.loads(self.rankfeed("diagnose", *words, limit.version, *trainer, disk=limit.disk).stdout)

    def row(self, limit: Limit) -> str:
        """Returns a row of the table of limits."""
        runs = [self.diagnosed(limit) for _ in range(RUNS)]
        named = {run["bottleneck"] for run in runs}
        if named != {limit.name}:
            sys.exit(f"{limit.name} is not the bottleneck that was named: {named}")
        error = statistics.median(run["predictionError"] for run in runs)
        advice = (runs[-1]["recommendedWorkers"], runs[-1]["recommendedDepth"])
        sweep = {}
        for settings in [(workers, depth) for workers in WORKERS for depth in DEPTHS]:
            sweep[settings] = self.diagnosed(limit, settings)["measuredRowsPerSecond"]
            print(f"{limit.name}: {settings} {sweep[settings]:,.0f} rows/s", file=sys.stderr, flush=True)
        # The largest of 20 numbers is large by chance too: advice and best setting are measured again, in turn.
        best = max(sweep, key=sweep.__getitem__)
        again = [[self.diagnosed(limit, one)["measuredRowsPerSecond"] for one in (advice, best)] for _ in range(RUNS)]
        rates = [statistics.median(rate) for rate in zip(*again, strict=True)]
        cells = [limit.name, f"{100 * error:.2g} %", f"{advice}", f"{rates[0]:,.0f}", f"{best}", f"{rates[1]:,.0f}"]
        return f"| {' | '.join([*cells, f'{rates[0] / rates[1]:.2f}', f'{rates[0] / max(sweep.values()):.2f}'])} |"

    def governed(self) -> str:
        """Returns the report of a feed whose trainer computes for 0, 40 and 0 ms a batch, governed and with fixed settings."""
        lines = ["| settings | rows/s at 0, 40 and 0 ms |", "|---|---|"]
        decisions = []
        for workers, depth in [("auto", "auto"), (2, 2), (1, 2), (0, 2)]:
            words = ["--in-place", "--plan", "bench", "--world", 1, "--verify", "off", "--config", self.config, "--progress", "none"]
            words += ["--workers", workers, "--depth", depth, "--log-format", "json", self.version("images")]
            done = self.rankfeed("feed", *words, "--", sys.executable, HERE / "take.py", 0, 40, 0, "--leave", 200)
            (found,) = [line for line in done.stdout.splitlines() if line.startswith('{"rates"')]
            lines.append(f"| {workers}, {depth} | {', '.join(f'{rate:,.0f}' for rate in json.loads(found)['rates'])} |")
            if workers == "auto":
                events = [json.loads(line) for line in done.stderr.splitlines() if line.startswith("{")]
                decisions = [event["message"] for event in events if "read_ahead" in event]
        return "\n".join([*lines, "", *(f"- {decision}" for decision in decisions)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="folder of files and versions; default: build/bench")
    parser.add_argument("--only", nargs="+", choices=["decode", "trainer", "disk", "governor"], metavar="LIMIT")
    args = parser.parse_args()
    work = (args.out or args.home / "build" / "bench").resolve() / "diagnose"
    bench = Bench(args.home, work)
    bench.prepare()
    only = args.only or ["decode", "trainer", "disk", "governor"]
    images = bench.version("images")
    limits = [
        Limit("decode", images, 200, config=bench.config),
        Limit("trainer", images, 200, millis=20, config=bench.config),
        Limit("disk", bench.version("rows"), 40, disk=work / "disk"),
    ]
    (work / "disk").mkdir()
    print("| limit | error, median of five | advice | rows/s | best of the sweep | rows/s | ratio | to its largest |")
    print("|---|---|---|---|---|---|---|---|")
    for limit in limits:
        if limit.name in only:
            print(bench.row(limit), flush=True)
    if "governor" in only:
        print(bench.governed())


if __name__ == "__main__":
    main()
