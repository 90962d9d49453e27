"""Measures the error of diagnose's predictions, compares its advice with a sweep of settings, and measures the governor."""

from __future__ import annotations

import argparse
import io
import json
import shutil
import statistics
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image

HERE = Path(__file__).resolve().parent
SLOW_DISK = "gpu-feeder/python/tests/e2e/slow_disk.py"
IMAGES, SIDE, RESIZED = 2_000, 250, 224
ROWS, FEATURES = 3_000, 16_384
DISK_BYTES_PER_SECOND = 60e6
WORKERS, DEPTHS = [0, 1, 2, 4, 8], [2, 3, 5, 9]
RUNS = 5
MEASURED = ["decode", "trainer", "disk", "governor"]
FEED = f"""feeds:
  train:
    columns:
      - {{name: pixels, from: image, steps: [decode, {{resize: {{height: {RESIZED}, width: {RESIZED}}}}}]}}
"""
Settings = tuple[int, int]
"""Workers and depth."""


@dataclass(frozen=True)
class Limit:
    """A feed with a known bottleneck. millis: what the trainer computes for after each batch."""

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
            slow = [sys.executable, "-P", self.home / SLOW_DISK, self.work / "rows", disk, DISK_BYTES_PER_SECOND]
            command = ["unshare", "-rm", *slow, *command]
        done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"rankfeed {' '.join(map(str, words))} failed:\n{done.stderr}")
        return done

    def prepare(self) -> None:
        """Writes the files, imports each folder, and makes a plan named bench."""
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
        np.save(self.work / "rows" / "features.npy", random.random((ROWS, FEATURES)))
        self.config.write_text(FEED)
        for name, batch, epochs in [("images", 64, 25), ("rows", 8, 1)]:
            words = ["--as", name, "--root", self.work / "root", "--lanes", 4, "--batch", batch]
            self.rankfeed("import", self.work / name, *words)
            self.rankfeed("plan", self.version(name), "--name", "bench", "--set", f"epochs={epochs}")

    def version(self, name: str) -> str:
        return f"{self.work / 'root' / name}@latest"

    def diagnose(self, limit: Limit, settings: Settings | None = None) -> dict:
        words = ["--in-place", "--json", "--plan", "bench", "--world", 1, "--verify", "off", "--batches", limit.batches]
        words += ["--config", limit.config] if limit.config else []
        words += ["--workers", settings[0], "--depth", settings[1]] if settings else []
        if limit.disk:
            words += [f"--external=rows={limit.disk}"]
        trainer = ["--", sys.executable, HERE / "trainer.py", limit.millis]
        return json.loads(self.rankfeed("diagnose", *words, limit.version, *trainer, disk=limit.disk).stdout)

    def measure_limit(self, limit: Limit) -> str:
        """Returns a row of the table of limits."""
        runs = [self.diagnose(limit) for _ in range(RUNS)]
        named = {run["bottleneck"] for run in runs}
        if named != {limit.name}:
            sys.exit(f"{limit.name}: the bottleneck that diagnose names is {', '.join(sorted(named))}")
        error = statistics.median(run["predictionError"] for run in runs)
        (advice, _), *_ = Counter((run["recommendedWorkers"], run["recommendedDepth"]) for run in runs).most_common()
        sweep = {}
        for settings in [(workers, depth) for workers in WORKERS for depth in DEPTHS]:
            sweep[settings] = self.diagnose(limit, settings)["measuredRowsPerSecond"]
            print(f"{limit.name}: {settings} {sweep[settings]:,.0f} rows/s", file=sys.stderr, flush=True)
        # The largest of 20 measurements is so by chance too: the advice and the best setting are measured again, in turn.
        best = max(sweep, key=sweep.__getitem__)
        again = [[self.diagnose(limit, one)["measuredRowsPerSecond"] for one in (advice, best)] for _ in range(RUNS)]
        rates = [statistics.median(rate) for rate in zip(*again, strict=True)]
        cells = [limit.name, f"{100 * error:.2g} %", f"{advice}", f"{rates[0]:,.0f}", f"{best}", f"{rates[1]:,.0f}"]
        return f"| {' | '.join([*cells, f'{rates[0] / rates[1]:.2f}', f'{rates[0] / max(sweep.values()):.2f}'])} |"

    def measure_governor(self) -> str:
        """Returns the report of a feed whose trainer computes for 0, 200 and 0 ms a batch, governed and with fixed settings."""
        lines = ["| settings | rows/s at 0, 200 and 0 ms |", "|---|---|"]
        decisions = []
        for workers, depth in [("auto", "auto"), (2, 2), (1, 2), (0, 2)]:
            words = ["--in-place", "--plan", "bench", "--world", 1, "--verify", "off", "--config", self.config, "--progress", "none"]
            words += ["--workers", workers, "--depth", depth, "--log-format", "json", self.version("images")]
            done = self.rankfeed("feed", *words, "--", sys.executable, HERE / "trainer.py", 0, 200, 0, "--warmup", 100)
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
    parser.add_argument("--only", nargs="+", choices=MEASURED, default=MEASURED)
    args = parser.parse_args()
    work = (args.out or args.home / "build" / "bench").resolve() / "diagnose"
    bench = Bench(args.home, work)
    bench.prepare()
    images = bench.version("images")
    limits = [
        Limit("decode", images, 200, config=bench.config),
        Limit("trainer", images, 40, millis=100, config=bench.config),
        Limit("disk", bench.version("rows"), 200, disk=work / "disk"),
    ]
    (work / "disk").mkdir()
    chosen = [limit for limit in limits if limit.name in args.only]
    if chosen:
        print("| limit | error, median of five | advice | rows/s | best of the sweep | rows/s | ratio | advice ÷ largest of the sweep |")
        print("|---|---|---|---|---|---|---|---|")
    for limit in chosen:
        print(bench.measure_limit(limit), flush=True)
    if "governor" in args.only:
        print(f"\n{bench.measure_governor()}")


if __name__ == "__main__":
    main()
