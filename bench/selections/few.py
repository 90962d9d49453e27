"""Measures `export` of few rows, drawn at random, by chosen pages and by a scan: each in a new JVM, in turn. The versions must
have the same bytes."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "convert"))

import data

READINGS = ("CHOSEN", "SCAN")


def numbers(first: int, rows: int) -> dict:
    return {"row": pa.array(np.arange(first, first + rows, dtype=np.int64))}


def lists(length: int):
    """Returns a maker of rows with a list of int16."""

    def table(first: int, rows: int) -> pa.Table:
        values = np.random.default_rng(first).integers(0, 32000, size=rows * length, dtype=np.int16)
        items = pa.FixedSizeListArray.from_arrays(pa.array(values), length).cast(pa.list_(pa.int16()))
        return pa.table({**numbers(first, rows), "tokens": items})

    return table


def binary(first: int, rows: int) -> pa.Table:
    values = np.random.default_rng(first).integers(0, 256, size=rows * 1024, dtype=np.uint8)
    offsets = np.arange(rows + 1, dtype=np.int32) * 1024
    values = pa.Array.from_buffers(pa.binary(), rows, [None, pa.py_buffer(offsets), pa.py_buffer(values)])
    return pa.table({**numbers(first, rows), "data": values})


def narrow(first: int, rows: int) -> pa.Table:
    random = np.random.default_rng(first)
    columns = numbers(first, rows)
    for i in range(8):
        columns[f"i{i}"] = pa.array(random.integers(0, 1 << 30, size=rows, dtype=np.int32))
        columns[f"d{i}"] = pa.array(random.random(rows))
    for i in range(4):
        columns[f"s{i}"] = pa.array([f"s{value}" for value in random.integers(0, 1 << 30, size=rows)])
    return pa.table(columns)


class Table(NamedTuple):
    """A table, the percentages of its rows that are chosen, and what is set in its job."""

    folder: str
    rows: int
    make: Callable[[int, int], pa.Table]
    shares: Sequence[float]
    page_index: bool = True
    sets: Sequence[str] = ()


PREPARED = ["prepare={sql: SELECT * FROM rows}"]
TABLES = {
    "lists": Table("lists", 1_000_000, lists(512), (0.01, 0.1, 1, 5, 20, 50)),
    "bytes": Table("bytes", 1_000_000, binary, (0.1, 1, 20, 50)),
    "prepared": Table("lists", 1_000_000, lists(512), (1, 20, 50, 100), sets=PREPARED),
    "narrow": Table("narrow", 3_000_000, narrow, (0.3, 10, 50)),
    "large": Table("large", 20_000, lists(51_200), (1, 5, 20, 50, 100), sets=PREPARED),
    "lists-plain": Table("lists-plain", 1_000_000, lists(512), (0.01, 0.02, 0.1), page_index=False),
    "bytes-plain": Table("bytes-plain", 1_000_000, binary, (0.1, 1), page_index=False),
}
BATCH = 50


def export(submit: list[str], root: Path, sets: list[str], reading: str) -> tuple[float, float, str, str]:
    """Exports once; returns the seconds, the estimated part of the pages that have a chosen row, what export selects, and the
    digests of the version's files."""
    for each in ("versions", "plans"):
        shutil.rmtree(root / "few" / each, ignore_errors=True)
    shutil.rmtree(root / "few-rows", ignore_errors=True)
    words = [*submit, reading, f"root={root}", *sets]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)} ended with {done.returncode}: {done.stderr[-2000:]}")
    seconds, pages, selected, version = done.stdout.splitlines()[-1].split(maxsplit=3)
    files = json.loads((Path(version.removeprefix("file:")) / "manifest.json").read_text())["files"]
    return float(seconds), float(pages), selected, json.dumps(files, sort_keys=True)


def measured(submit: list[str], work: Path, name: str, scale: float, rounds: int) -> list[dict]:
    """Prints a line for each percentage; returns what was measured."""
    table = TABLES[name]
    rows = int(table.rows * scale)
    folder = work / f"{table.folder}-{rows}"
    data.write(folder, rows, table.make, page_index=table.page_index)
    found: list[dict] = []
    for share in table.shares:
        chosen = max(1, round(rows * share / 100 / BATCH)) * BATCH
        sets = [f"sources.rows.parquet={folder}", f"sample.all.rows={chosen}", *table.sets]
        seconds: dict[str, list[float]] = {reading: [] for reading in READINGS}
        digests = set()
        if not found:
            export(submit, work / f"{name}-out", sets, READINGS[0])  # prepares the table; not measured
        for turn in range(rounds):
            for reading in READINGS if (turn + len(found)) % 2 == 0 else READINGS[::-1]:
                taken, pages, selected, digest = export(submit, work / f"{name}-out", sets, reading)
                seconds[reading].append(taken)
                digests.add(digest)
        if len(digests) != 1:
            sys.exit(f"{name}, {share} %: the versions differ")
        found.append({"table": name, "share": share, "pages": pages, "selected": selected, "seconds": seconds})
        print(line(found[-1]), flush=True)
    return found


def line(one: dict) -> str:
    each = [one["seconds"][reading] for reading in READINGS]
    ratio = statistics.median(each[0]) / statistics.median(each[1])
    texts = [", ".join(f"{seconds:.1f}" for seconds in taken) for taken in each]
    selected = {"CHOSEN": "chosen pages", "SCAN": "scan"}[one["selected"]]
    words = [one["table"], f"{one['share']} %", f"{100 * one['pages']:.0f} %", *texts, f"{ratio:.2f}", selected]
    return f"| {' | '.join(words)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--class-path", required=True, help="of FewRowsRun and the jar of the jobs, for $SPARK_HOME's spark-submit")
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("--scale", type=float, default=1, help="of the rows of each table")
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    submit = [f"{os.environ['SPARK_HOME']}/bin/spark-submit", "--master", "local[2]"]
    submit += ["--driver-class-path", args.class_path, "--class", "io.rankfeed.spark.export.FewRowsRun"]
    submit += [args.class_path.rpartition(":")[2], str(HERE / "few.yaml")]
    work = args.home / "build" / "bench" / "few"
    work.mkdir(parents=True, exist_ok=True)
    print("| table | chosen | pages with a chosen row | chosen pages, s | scan, s | ratio | export selects |")
    print("|---|---|---|---|---|---|---|", flush=True)
    found = [one for name in args.only for one in measured(submit, work, name, args.scale, args.rounds)]
    (work.parent / "few.json").write_text(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
