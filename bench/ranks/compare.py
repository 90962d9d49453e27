"""Runs the ranks of each loader at the same time, one loader after the other: memory, reads, times and kills."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import processes
import report
from loaders import LOADERS
from processes import Rank
from shapes import SHAPES

HERE = Path(__file__).resolve().parent


def log(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Comparison:
    """The loaders over one table."""

    def __init__(self, args: argparse.Namespace):
        self.args, self.shape = args, SHAPES[args.shape]
        self.shape.batch = args.batch or self.shape.batch
        self.rows = args.rows or self.shape.default_rows
        self.folder = args.out / "ranks" / f"{args.shape}-{self.rows}"
        self.steps = self.rows // (args.world * self.shape.batch)
        self.version = Path()
        self.stores: dict[str, int] = {}
        self.losses: set[str] = set()

    def make(self) -> dict[str, float]:
        """Makes the table, the version and the store of Hugging Face; what exists is kept. Returns the seconds."""
        self.folder.mkdir(parents=True, exist_ok=True)
        seconds = {}
        if not (self.folder / "checksums.npy").exists():
            self.shape.write(self.folder, self.rows)
        root, run = self.folder / "root", f"bench-{self.args.world}-{self.shape.batch}"
        facts = root / "bench-ranks" / "runs" / run / "run.json"
        values = [f"root={root}", *self.shape.job(self.folder, self.rows)]
        values.append(f"sample.train.batch={self.args.world * self.shape.batch}")
        words = ["pipeline", HERE / f"{self.args.shape}.yaml", "--run-id", run, "--progress", "none"]
        began, read = time.monotonic(), processes.read_by_children()
        subprocess.run(
            [self.args.home / "rankfeed", *words, *(word for value in values for word in ("--set", value))],
            check=True,
            stdout=sys.stderr,
        )
        seconds["rankfeed"] = time.monotonic() - began
        log(f"the pipeline's processes read {(processes.read_by_children() - read) / 1e6:,.0f} MB by calls")
        began = time.monotonic()
        self.shape.hugging_face(self.folder)
        seconds["hf-datasets"] = time.monotonic() - began
        self.version = root / "bench-ranks" / "versions" / json.loads(facts.read_text())["version"]
        versions = sum(file.stat().st_size for file in self.version.rglob("*") if file.is_file())
        source = sum((self.folder / name).stat().st_size for name in self.shape.source)
        self.stores = {name: versions if name == "rankfeed" else source for name in LOADERS}
        return seconds

    @contextlib.contextmanager
    def ranks(self, name: str, env: dict, logs: Path | None = None, stop: int = -1) -> Iterator[list[Rank]]:
        """Starts the ranks, and waits until each has imported its libraries."""
        words = [self.args.shape, name, "--data", self.folder, "--world", self.args.world, "--stop", stop]
        words += ["--batch", self.shape.batch]
        with contextlib.ExitStack() as stack:
            started = []
            for rank in range(self.args.world):
                logged = ["--log", logs / f"{rank}.log"] if logs else []
                started.append(Rank([*words, "--rank", rank, *logged], env))
                stack.callback(processes.kill, [started[-1].process])
            for rank in started:
                rank.receive()
            yield started

    def feeder(self, name: str, env: dict) -> list[subprocess.Popen]:
        if name != "rankfeed":
            return []
        cache = Path(env["XDG_RUNTIME_DIR"]) / "cache"
        return [processes.feeder(self.args.home, self.version, cache, self.args.world, env)]

    def measure(self, name: str, env: dict) -> dict:
        feeder: list[subprocess.Popen] = []
        try:
            with self.ranks(name, env) as ranks:
                running = [rank.process for rank in ranks]
                before, began = processes.usage(running), time.monotonic()
                feeder = self.feeder(name, env)
                first = self.first(ranks) - began
                losses = [rank.receive()["losses"] for rank in ranks]
                after = processes.usage([*running, *feeder])
                rates = [self.epoch(ranks) for _ in range(self.args.epochs)]
                for rank in ranks:
                    rank.end()
            self.losses.add(json.dumps(losses))
            if len(self.losses) != 1:
                sys.exit(f"{name} gives other losses than the loaders before it")
            result = {"first_s": first, "rowsPerSecond": rates, "source": self.stores[name]}
            result |= {key: after[key] - before[key] for key in ("Pss", "Pss_File", "rchar", "wchar", "read_bytes")}
            # The feeder reads back what it copies, and worker processes what they write to pipes.
            result["read"] = result["rchar"] - result["wchar"]
            result["restart"] = self.restart(name, env, feeder, feeder_too=False)
            if feeder:
                result["restartWithFeeder"] = self.restart(name, env, feeder, feeder_too=True)
            return result
        finally:
            for one in feeder:
                one.terminate()
                one.wait(60)

    @staticmethod
    def first(ranks: list[Rank]) -> float:
        """Lets the ranks open the data; returns when the last of them had its first batch."""
        for rank in ranks:
            rank.send()
        return max(rank.receive()["first"] for rank in ranks)

    @staticmethod
    def epoch(ranks: list[Rank]) -> float:
        """Returns the rows per second of all ranks together."""
        for rank in ranks:
            rank.send()
        ended = [rank.receive() for rank in ranks]
        seconds = max(one["ended"] for one in ended) - min(one["began"] for one in ended)
        return sum(one["rows"] for one in ended) / seconds

    def restart(self, name: str, env: dict, feeder: list, feeder_too: bool) -> dict:
        """Kills all ranks in the middle of the epoch, starts them again, and counts the rows missing at its end."""
        folder = Path(tempfile.mkdtemp(dir=env["XDG_RUNTIME_DIR"]))
        with self.ranks(name, env, folder, self.steps // 2) as ranks:
            self.first(ranks)
            for rank in ranks:
                rank.receive()
            processes.kill([rank.process for rank in ranks] + (feeder if feeder_too else []))
        began = time.monotonic()
        if feeder_too:
            feeder[:] = self.feeder(name, env)
        with self.ranks(name, env, folder) as ranks:
            first = self.first(ranks) - began
            for rank in ranks:
                rank.receive()
        logs = [(folder / f"{rank}.log").read_text().split() for rank in range(self.args.world)]
        missing = sum(self.steps - len(log) for log in logs)
        return {"first_s": first, "missing": missing * self.shape.batch}

    def run(self) -> dict[str, dict]:
        found = {}
        for name in self.args.only or LOADERS:
            with tempfile.TemporaryDirectory(prefix="rankfeed-bench-") as runtime:
                env = {**os.environ, "XDG_RUNTIME_DIR": runtime, "OMP_NUM_THREADS": "1", "HF_DATASETS_OFFLINE": "1"}
                found[name] = self.measure(name, env)
            one, again = found[name], found[name]["restart"]
            log(
                f"{name:12s} {one['Pss'] / 2**20:6,.0f} MiB, first batch {one['first_s']:.1f} s, "
                f"{report.rate(one):,.0f} rows/s, restart {again['first_s']:.1f} s, "
                f"{again['missing']} rows missing at the end"
            )
        return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="folder of tables, stores and results; default: build/bench")
    parser.add_argument("--shape", choices=SHAPES, default="contests")
    parser.add_argument("--rows", type=int, help="default: 200,000 contests, 20,000,000 strings")
    parser.add_argument("--index", type=int, default=3_690_000, help="rows of a metadata JSON alone; 0: none")
    parser.add_argument("--world", type=int, default=4)
    parser.add_argument("--batch", type=int, help="rows of a rank's batch; default: 64 contests, 1,250 strings")
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--only", nargs="+", choices=LOADERS, metavar="LOADER", help="leave the others out")
    args = parser.parse_args()
    args.out = args.out or args.home / "build" / "bench"
    comparison = Comparison(args)
    prepared = comparison.make()
    found = comparison.run()
    index = report.index(args.out, args.index, args.world) if args.index and args.shape == "contests" else {}
    print(report.text(found, prepared, index, args.world))
    out = args.out / f"ranks-{args.shape}"
    report.bars(out.with_suffix(".svg"), found)
    figures = {"loaders": found, "prepared": prepared, "index": index}
    out.with_suffix(".json").write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
