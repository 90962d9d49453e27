"""Writes one table as lanes and in every other format, and reads each with its library; prints figures and ratios side by side."""

from __future__ import annotations

import argparse
import csv
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "ranks")]

import report
from stores import READERS
from writers import LIBRARIES

ONLY = {"enn": "tokens", "megatron": "tokens", "npy": "tokens", "image-mmap": "images", "images": "images"}
LIBRARY_ONLY = {"npy", "images"}
"""Formats that no job writes: existing datasets have them."""
OPTIONS = {"enn": "{format: enn, options: {features: tokens}}"}
FED = {
    ("tokens", "enn"): "X",
    ("tokens", "lanes"): "tokens",
    ("tokens", "huggingface"): "tokens",
    ("tokens", "megatron"): "tokens",
    ("tokens", "npy"): "tokens",
    ("tokens", "webdataset"): "tokens_npy",
    ("images", "lanes"): "image",
    ("images", "huggingface"): "image",
    ("images", "image-mmap"): "image",
    ("images", "images"): "image",
    ("images", "webdataset"): "image_bin",
}
"""The column of the samples in lanes, and in a version over the files of a format."""

BATCH, LANES, EPOCHS = 256, 8, 20
MIB = 1 << 20
FIGURES = {
    "bytes": "bytes",
    "seconds": "written, s",
    "ratio": "rate ÷ lanes",
    "library_s": "by its library, s",
    "open_s": "open, s",
    "random": "random rows/s",
    "sequential": "sequential rows/s",
    "first": "fed, first epoch, rows/s",
    "fed": "fed, later epochs, rows/s",
    "fed_ratio": "fed ÷ its library",
    "pss": "memory, MiB",
}
"""What is measured of a format. Memory is the proportional set size, mapped files included, less that before the store is opened."""


class Comparison:
    """One kind of rows in all formats that store it."""

    def __init__(self, args: argparse.Namespace, kind: str, rows: int):
        self.args, self.kind, self.rows = args, kind, rows
        self.work = args.out / "formats"
        self.table = self.work / f"{kind}-{rows}"
        self.batch = min(BATCH, rows // LANES * LANES)
        chosen = [name for name in args.only if ONLY.get(name, kind) == kind]
        self.formats = [name for name in chosen if name not in LIBRARY_ONLY]
        self.by_libraries = [name for name in chosen if name in LIBRARY_ONLY]

    def write(self, formats: list[str]) -> dict[str, dict]:
        """Writes all formats in one application. Returns for each its folder, its bytes and the seconds of its phase."""
        root = self.work / "root"
        shutil.rmtree(root, ignore_errors=True)
        words = ["--run-id", "bench", "--progress", "none", "--set", f"root={root}", "--set", f"sources.table.parquet={self.table}"]
        words += ["--set", f"export.formats=[lanes, {', '.join(OPTIONS.get(name, name) for name in formats)}]"]
        self.rankfeed("pipeline", HERE / f"{self.kind}.yaml", *words)
        dataset = root / f"bench-formats-{self.kind}"
        facts = json.loads((dataset / "runs" / "bench" / "run.json").read_text())
        phases = {phase["name"].removeprefix("format "): phase for phase in facts["phases"]}
        phases["lanes"] = phases["export"]
        folders = {one["format"]: dataset / "formats" / one["id"] for one in facts["formats"]}
        folders["lanes"] = dataset / "versions" / facts["version"]
        found = {
            name: {"folder": folder, "bytes": phases[name]["bytes"], "seconds": float(phases[name]["seconds"])}
            for name, folder in folders.items()
        }
        for name in formats:
            found[name]["ratio"] = found["lanes"]["seconds"] / found[name]["seconds"]
        os.sync()  # what one round left in the page cache is not written out during the next one's time
        return found

    def imported(self, name: str, folder: Path, column: str) -> Path:
        """Returns a version over the files that were written in a format."""
        dataset = folder if name == "image-mmap" else folder / "train"
        root = self.work / "root" / "imported"
        words = ["--as", name, "--root", root, "--format", name, "--columns", column, "--lanes", LANES]
        self.rankfeed("import", dataset, *words, "--batch", self.batch)
        (version,) = (root / name / "versions").iterdir()
        return version

    def fed(self, name: str, folder: Path, column: str) -> dict[str, float]:
        """Returns the rates at which a version is fed: lanes, or one over the files that were written in a format."""
        version = folder if name == "lanes" else self.imported(name, folder, column)
        self.rankfeed("plan", version, "--name", "fed", "--set", f"epochs={EPOCHS}", "--set", f"batch={self.batch}")
        return self.child("fed.py", version, column, "--plan", "fed", "--epochs", EPOCHS, "--rows", self.rows)

    def rankfeed(self, *words: object) -> None:
        done = subprocess.run([self.args.home / "rankfeed", *map(str, words)], capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"rankfeed {' '.join(map(str, words))} failed:\n{done.stderr}")

    def child(self, script: str, *words: object) -> dict:
        env = {**os.environ, "PYTHONPATH": str(self.args.home / "gpu-feeder/python/src"), "HF_HUB_OFFLINE": "1", "OMP_NUM_THREADS": "1"}
        env["PYTHONWARNINGS"] = "ignore"
        done = subprocess.run([sys.executable, HERE / script, *map(str, words)], env=env, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{script} {words[0]} failed:\n{done.stderr}")
        return json.loads(done.stdout.splitlines()[-1])

    def round(self, number: int) -> dict[str, dict]:
        # Each round starts with another format: the first ones of an application find code that is not compiled yet.
        turn = number % max(1, len(self.formats))
        found = self.write(self.formats[turn:] + self.formats[:turn])
        for name in self.by_libraries:
            folder = self.work / "root" / name
            written = self.child("writers.py", name, self.table, folder)
            found[name] = {"folder": folder, "bytes": written["bytes"], "library_s": written["seconds"]}
        for name, one in found.items():
            folder = one.pop("folder")
            one |= self.child("stores.py", name, self.kind, folder, "--rows", self.rows)
            one["pss"] = max(0, one["pss"]) / MIB
            if column := FED.get((self.kind, name)):
                one |= self.fed(name, folder, column)
                one["fed_ratio"] = None if name == "lanes" else one["fed"] / (one["random"] or one["sequential"])
        out = self.work / "library"
        for name in self.formats if self.args.libraries else []:
            if name in LIBRARIES:
                shutil.rmtree(out, ignore_errors=True)
                found[name]["library_s"] = self.child("writers.py", name, self.table, out / "store")["seconds"]
        for folder in (out, self.work / "root"):
            shutil.rmtree(folder, ignore_errors=True)
        return found

    def run(self) -> dict[str, dict]:
        rounds = [self.round(number) for number in range(self.args.rounds)]
        found: dict[str, dict] = {}
        for name in ["lanes", *self.formats, *self.by_libraries]:
            figures = {key: [one[name][key] for one in rounds if one[name].get(key) is not None] for key in FIGURES}
            found[name] = {key: statistics.median(values) for key, values in figures.items() if values}
            print(f"{self.kind} {name}: {found[name]}", file=sys.stderr, flush=True)
        return found


def table(kind: str, rows: int, found: dict[str, dict]) -> str:
    lines = [f"\n{kind}: {rows:,} rows", "", f"| format | {' | '.join(FIGURES.values())} |", "|---|" + "---|" * len(FIGURES)]
    for name, one in found.items():
        shown = [f"{one[key]:,.{0 if one[key] >= 100 else 3}f}" if key in one else "" for key in FIGURES]
        lines.append(f"| {name} | {' | '.join(shown)} |")
    return "\n".join(lines)


def save(path: Path, found: dict[str, dict]) -> None:
    """Writes the figures as CSV and as a picture."""
    with path.with_suffix(".csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ["format", *FIGURES])
        writer.writeheader()
        writer.writerows({"format": name, **one} for name, one in found.items())
    shown = [key for key in FIGURES if not key.endswith("ratio") and sum(key in one for one in found.values()) > 1]
    panels = {FIGURES[key]: lambda one, key=key: one.get(key, float("nan")) for key in shown}
    report.bars(path.with_suffix(".svg"), found, panels, "lanes")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--out", type=Path, help="folder of tables, stores and results; default: build/bench")
    parser.add_argument("--rows", type=int, default=100_000, help="of 512 tokens; 0 for none")
    parser.add_argument("--images", type=int, default=20_000, help="JPEG rows; 0 for none")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--no-libraries", dest="libraries", action="store_false", help="do not write with the libraries")
    formats = [name for name in READERS if name != "lanes"]
    parser.add_argument("--only", nargs="+", choices=formats, default=formats, metavar="FORMAT", help="leave the others out")
    args = parser.parse_args()
    args.out = (args.out or args.home / "build" / "bench").resolve()
    counts = ["--rows", str(args.rows), "--images", str(args.images)]
    subprocess.run([sys.executable, HERE.parent / "convert" / "data.py", *counts, "--out", args.out / "formats"], check=True)
    os.sync()
    kept = {}
    for kind, rows in [("tokens", args.rows), ("images", args.images)]:
        if rows:
            kept[kind] = Comparison(args, kind, rows).run()
            print(table(kind, rows, kept[kind]), flush=True)
            save(args.out / f"formats-{kind}.csv", kept[kind])
    (args.out / "formats.json").write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
