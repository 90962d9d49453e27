"""Measures plans over generated tables (one JVM each), a plan over a stored table, and the order of a rank."""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent))

import stored
from clock import Clock

CHOSEN = 199_936  # a published epoch of 200,000, as a multiple of the batch
SHAPE_ROWS = 3_690_000  # CodeContests' solutions
COLD_STARTS = 5


def last_json(command: list, env: dict) -> list[dict]:
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{command[0]} failed:\n{done.stderr[-4000:]}")
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def plan(args, rows: int, folder: Path, env: dict) -> dict:
    shutil.rmtree(folder, ignore_errors=True)
    command = [
        args.spark_submit, "--master", args.master, "--driver-memory", args.memory, "--conf", "spark.ui.enabled=false",
        "--class", "io.rankfeed.bench.PlanRun", args.home / "bench" / "target" / "rankfeed-bench.jar", str(rows), str(CHOSEN), folder,
    ]  # fmt: skip
    with Clock() as clock:
        made = last_json(command, env)[-1]
    return {**made, "start_s": clock.seconds - made["count_s"] - made["choose_s"], "cpu_s": clock.cpu}


def millions(text: str) -> list[int]:
    return [int(float(part) * 1_000_000) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--java", required=True)
    parser.add_argument("--spark-submit", required=True)
    parser.add_argument("--rows", type=millions, default=millions("1,10"), help="millions of rows, with commas between (1,10)")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--memory", default="1g", help="heap of the one JVM (1g)")
    parser.add_argument("--master", default="local[2]")
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "plan"
    work.mkdir(parents=True, exist_ok=True)
    env = {
        **os.environ,
        "JAVA_HOME": str(Path(args.java).parents[1]),
        "PATH": f"{Path(args.spark_submit).parent}:{os.environ['PATH']}",
        "SPARK_CONF_DIR": str(work / "no-conf"),
    }

    plans = []
    for rows in args.rows:
        rounds = []
        for _ in range(args.rounds):
            rounds.append(plan(args, rows, work / "plan", env))
            print(json.dumps(rounds[-1]), file=sys.stderr, flush=True)
        plans.append({key: statistics.median(made[key] for made in rounds) for key in rounds[0]})
    print("\n| rows | start | counting scan | choosing scan | CPU | µs a row, both scans | heap in use after GC, at most |\n|---|---|---|---|---|---|---|")
    for made in plans:
        micros = (made["count_s"] + made["choose_s"]) / made["rows"] * 1e6
        print(f"| {made['rows']:,.0f} | {made['start_s']:.1f} s | {made['count_s']:.1f} s | {made['choose_s']:.1f} s | {made['cpu_s']:.1f} s"
              f" | {micros:.2f} | {made['peak_mib']:.0f} MiB |")

    kept = {"plans": plans, "stored": stored.compared(args.home, work, args.rounds, args.master, env)}
    plan(args, SHAPE_ROWS, work / "shape", env)
    folder = next((work / "shape" / "plan-run" / "plans").iterdir())
    opening = [args.java, "-cp", args.home / "bench" / "target" / "rankfeed-bench.jar", "io.rankfeed.bench.OrderRun", folder]
    rank = last_json(opening, env)
    # A cold start is mostly the loading of classes: what else the machine does shows in a single one.
    starts = [last_json([*opening, "open"], env)[0]["open_ms"] for _ in range(COLD_STARTS)]
    rank[0] |= {"open_ms": min(starts), "open_ms_worst": max(starts)}
    metadata = work / "metadata.json"
    subprocess.run([sys.executable, HERE / "metadata.py", "write", metadata, str(SHAPE_ROWS)], check=True)
    loaded = last_json([sys.executable, HERE / "metadata.py", "load", metadata], env)[-1]
    worst = max(rank[1:], key=lambda line: line["ns_per_row"])
    print(f"\n| what a rank knows of {SHAPE_ROWS:,} rows | on disk | opened in | memory |\n|---|---|---|---|")
    print(f"| the plan's order | {rank[0]['bytes']:,} B | {rank[0]['open_ms']:.0f} ms, in a cold JVM (best of {COLD_STARTS}; worst {rank[0]['open_ms_worst']:.0f} ms) | none per row |")
    print(f"| metadata JSON | {loaded['bytes'] / 1e6:.0f} MB | {loaded['load_s']:.1f} s | {loaded['peak_mib']} MiB |")
    print(f"\nA row of a batch costs at most {worst['ns_per_row']:.0f} ns (world {worst['world']}, {worst['rows_per_batch']} rows a batch).")
    (work.parent / "plan.json").write_text(json.dumps({**kept, "rank": rank, "metadata": loaded}, indent=2) + "\n")


if __name__ == "__main__":
    main()
