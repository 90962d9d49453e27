"""Runs every loader of a work in a process of its own, in turn, several rounds, and prints medians and ratios."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from loaders import LOADERS

HERE = Path(__file__).resolve().parent
ROWS = {"jpeg": 20_000, "stored": 5_000, "python": 20_000, "photos": 102_768}
"""Of a default run; pixels are 197 KB a row, so that the five stores of them stay in memory."""

ENVIRONMENTS = {"mds": "peers-mds", "petastorm": "peers-petastorm"}


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Comparison:
    """One work over its rows."""

    def __init__(self, args, work: str):
        self.args, self.work = args, work
        self.rows = args.rows or ROWS[work]
        self.content = "jpeg" if work == "python" else work
        self.image = "stored" if work == "stored" else "jpeg"
        self.folder = args.home / "build" / "bench" / "images" / f"{self.content}-{self.rows}"

    def python(self, loader: str) -> Path | str:
        name = ENVIRONMENTS.get(loader)
        return self.args.home / ".envs" / name / "bin" / "python" if name else sys.executable

    def make(self) -> Path:
        """Makes the stores of the peers and the version; returns the folder of the version."""
        words = [HERE / "data.py", self.content, "--rows", str(self.rows), "--out", self.folder]
        subprocess.run([sys.executable, *words], check=True)
        if "mds" in LOADERS[self.work]:
            subprocess.run([self.python("mds"), *words, "--mds"], check=True)
        root, run = self.folder / "root", f"bench-{self.rows}"
        words = ["--set", f"root={root}", "--set", f"sources.table.parquet={self.folder / 'table'}"]
        job = HERE / f"{self.image}-job.yaml"
        subprocess.run([self.args.home / "rankfeed", "pipeline", job, "--run-id", run, *words], check=True)
        facts = json.loads((root / "bench-images" / "runs" / run / "run.json").read_text())
        return root / "bench-images" / "versions" / facts["version"]

    def sizes(self) -> dict[str, int]:
        """Returns the size of each store in bytes."""
        stores = [path for path in self.folder.iterdir() if path.name != "root"]
        stores += [self.folder / "root" / "bench-images" / "versions"]
        return {
            "rankfeed" if path.name == "versions" else path.name: sum(
                file.stat().st_size for file in [path, *path.rglob("*")] if file.is_file()
            )
            for path in stores
        }

    @contextlib.contextmanager
    def feeder(self, version: Path, env: dict) -> Iterator[None]:
        """Runs a feeder only in this block: it would fill its ring while others are measured."""
        config = HERE / f"{'jpeg' if self.work == 'photos' else self.work}.yaml"
        words = ["feed", version, "--config", config, "--run", "bench"]
        words += ["--world", "1", "--workers", "1", "--in-place"]
        process = subprocess.Popen([self.args.home / "rankfeed", *words], env=env, stdout=subprocess.DEVNULL)
        ready = Path(env["XDG_RUNTIME_DIR"]) / "rankfeed" / "bench" / "feeder.json"
        deadline = time.monotonic() + 120
        while not ready.exists():
            if process.poll() is not None or time.monotonic() > deadline:
                sys.exit(f"the feeder did not come up (exit code {process.poll()})")
            time.sleep(0.05)
        try:
            yield
        finally:
            process.terminate()
            process.wait(30)

    def measure(self, loader: str, version: Path, env: dict) -> list[float]:
        words = [HERE / "loaders.py", self.work, loader, "--data", self.folder]
        words += ["--rows", str(self.rows), "--epochs", str(self.args.epochs)]
        up = self.feeder(version, env) if loader.startswith("rankfeed") else contextlib.nullcontext()
        with up:
            done = subprocess.run(
                [self.python(loader), *words], env=env, capture_output=True, text=True, timeout=900, check=False
            )
        if done.returncode:
            say(f"{self.work}: {loader} failed:\n{done.stderr[-2000:]}")
            return []
        return json.loads(done.stdout.splitlines()[-1])["rowsPerSecond"]

    def run(self) -> dict[str, list[float]]:
        version = self.make()
        names = [name for name in LOADERS[self.work] if not self.args.only or name in self.args.only]
        figures: dict[str, list[float]] = {name: [] for name in names}
        with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
            # Petastorm's processes import the function that they run.
            env = {**os.environ, "XDG_RUNTIME_DIR": runtime, "PYTHONPATH": str(HERE)}
            for number in range(self.args.rounds):
                for name in names:
                    figures[name] += self.measure(name, version, env)
                    if figures[name]:
                        rate = statistics.median(figures[name])
                        say(f"{self.work} {number + 1}/{self.args.rounds}  {name:20s} {rate:10,.0f} images/s")
        return {name: rates for name, rates in figures.items() if rates}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--work", nargs="+", choices=LOADERS, default=["jpeg", "stored", "python"])
    parser.add_argument("--rows", type=int, help=f"default: {ROWS}")
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="+", metavar="LOADER", help="leave the others out")
    args = parser.parse_args()
    results = {}
    for work in args.work:
        comparison = Comparison(args, work)
        results[work] = {"imagesPerSecond": comparison.run(), "storeBytes": comparison.sizes()}
    for work, result in results.items():
        medians = {name: statistics.median(rates) for name, rates in result["imagesPerSecond"].items()}
        print(f"\n{work}\n\n| loader | images/s (median of {args.rounds}) | min–max | against rankfeed |")
        print("|---|---|---|---|")
        for name, rate in sorted(medians.items(), key=lambda item: -item[1]):
            rates = result["imagesPerSecond"][name]
            share = f"{rate / medians['rankfeed']:.2f}" if "rankfeed" in medians else ""
            print(f"| {name} | {rate:,.0f} | {min(rates):,.0f}–{max(rates):,.0f} | {share} |")
        sizes = ", ".join(f"{name} {size / 2**20:,.0f}" for name, size in sorted(result["storeBytes"].items()))
        print(f"\nMiB: {sizes}")
    (args.home / "build" / "bench" / "images.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
