"""Measures a plan over a stored table with two strata columns, next to Spark's own count by these columns in a new session."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

from clock import Clock, cpu_seconds

ROWS = 10_000_000
STRATA = 160


def session(master: str):
    from pyspark.sql import SparkSession

    options = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.memory": "2g"}
    return SparkSession.builder.master(master).config(map=options).getOrCreate()


def make(folder: Path, master: str) -> None:
    """Writes the table: a key and two columns of 16 and 10 values, in 8 files."""
    partial = folder.with_name(f".{folder.name}")
    rows = session(master).range(0, ROWS, 1, 8)
    columns = ["id", "pmod(xxhash64(id, 1), 16L) AS kind", "CAST(pmod(xxhash64(id, 2), 10L) AS INT) AS difficulty"]
    rows.selectExpr(*columns).write.mode("overwrite").parquet(str(partial))
    partial.rename(folder)


def count(folder: Path, master: str) -> dict:
    """Counts in a session that has done nothing yet."""
    rows = session(master).read.parquet(str(folder))
    begin = time.perf_counter()
    found = rows.groupBy("kind", "difficulty").count().collect()
    seconds = time.perf_counter() - begin
    if len(found) != STRATA or sum(row["count"] for row in found) != ROWS:
        sys.exit(f"Spark counted {len(found)} strata of {sum(row['count'] for row in found):,} rows")
    return {"count": seconds, "ended": time.time(), "cpu": cpu_seconds(os.getpid())}


def alone(what: str, folder: Path, master: str, env: dict) -> dict:
    """Runs one of these functions in a process of its own; returns what it prints."""
    done = subprocess.run([sys.executable, __file__, what, folder, master], env=env, stdout=subprocess.PIPE, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def counted(folder: Path, master: str, env: dict) -> dict:
    """Counts in a new process; returns the seconds of the count, those before it, and its CPU seconds."""
    began = time.time()
    found = alone("count", folder, master, env)
    return {"count": found["count"], "start": found["ended"] - began - found["count"], "cpu": found["cpu"]}


def plan(home: Path, folder: Path, root: Path, master: str) -> dict:
    """Runs prepare, then sample; returns the seconds of both, those of the start of sample, and its CPU seconds."""
    shutil.rmtree(root, ignore_errors=True)
    seconds = {}
    for phase in ("prepare", "sample"):
        words = ["--run-id", phase, "--progress", "none", "--set", f"root={root}", "--set", f"sources.table.parquet={folder}"]
        with Clock() as clock:
            subprocess.run([home / "rankfeed", "--spark", f"--master {master}", phase, HERE / "stored.yaml", *words], check=True, stdout=subprocess.DEVNULL)
        facts = json.loads((root / "bench-plan" / "runs" / phase / "run.json").read_text())
        seconds[phase] = sum(float(one["seconds"]) for one in facts["phases"])
    return {**seconds, "start": clock.seconds - seconds["sample"], "cpu": clock.cpu}


def compared(home: Path, work: Path, rounds: int, master: str, env: dict) -> dict:
    """Prints the table, of medians, and returns it."""
    folder = work / f"table-{ROWS}"
    if not folder.exists():
        alone("make", folder, master, env)
    runs: dict[str, list[dict]] = {"count": [], "plan": []}
    for _ in range(rounds):
        runs["count"].append(counted(folder, master, env))
        runs["plan"].append(plan(home, folder, work / "stored", master))
        print(json.dumps({name: each[-1] for name, each in runs.items()}), file=sys.stderr, flush=True)
    found = {name: {key: statistics.median(run[key] for run in each) for key in each[0]} for name, each in runs.items()}
    spark, ours = found["count"], found["plan"]
    print(f"\n| {ROWS:,} stored rows, {STRATA} strata | s | start, s | CPU, s | ÷ the count |\n|---|---|---|---|---|")
    print(f"| Spark counts them, in a new session | {spark['count']:.1f} | {spark['start']:.1f} | {spark['cpu']:.0f} | 1 |")
    print(f"| `prepare: none` | {ours['prepare']:.1f} | | | {ours['prepare'] / spark['count']:.2f} |")
    print(f"| `sample` | {ours['sample']:.1f} | {ours['start']:.1f} | {ours['cpu']:.0f} | {ours['sample'] / spark['count']:.2f} |")
    return found


if __name__ == "__main__":
    print(json.dumps({"make": make, "count": count}[sys.argv[1]](Path(sys.argv[2]), sys.argv[3])))
