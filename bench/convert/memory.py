"""Measures the peak memory of the Spark process while the three phases run, at 1 × and 4 × the rows; one process is
driver and executor at once."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from pathlib import Path

HERE = Path(__file__).resolve().parent
PAUSE = re.compile(r"Pause .* \d+M->(\d+)M\(\d+M\)")


def children(pid: int) -> list[int]:
    found = [pid]
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found += children(int(status.parent.name))
    return found


def high_water_mib(pid: int) -> float:
    """Returns the largest resident memory of a process below this one in MiB, by the kernel's count."""
    peak = 0
    for child in children(pid):
        try:
            found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{child}/status").read_text())
        except OSError:
            continue
        peak = max(peak, int(found.group(1)) if found else 0)
    return peak / 1024


def measure(home: Path, rows: int, work: Path, heap: str) -> dict:
    out, log = work / "out-memory", work / "gc.log"
    shutil.rmtree(out, ignore_errors=True)
    log.unlink(missing_ok=True)
    env = {**os.environ, "RANKFEED_SPARK_ARGS": f"--driver-memory {heap} --conf spark.driver.extraJavaOptions=-Xlog:gc:file={log}::filecount=0"}
    process = subprocess.Popen(
        [home / "rankfeed", "pipeline", HERE / "tokens.yaml", "--run-id", "bench", "--progress", "none",
         "--set", f"root={out}", "--set", f"sources.table.parquet={work / f'tokens-{rows}'}"],
        env=env, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    peak = 0.0
    ended = threading.Event()
    threading.Thread(target=lambda: (process.wait(), ended.set()), daemon=True).start()
    while not ended.wait(0.5):
        peak = max(peak, high_water_mib(process.pid))
    if process.returncode:
        sys.exit(f"rankfeed ended with {process.returncode}")
    live = max(int(match.group(1)) for match in PAUSE.finditer(log.read_text()))
    shutil.rmtree(out, ignore_errors=True)
    return {"rows": rows, "residentMiB": round(peak), "heapAfterCollectionMiB": live}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=500_000, help="the smaller number")
    parser.add_argument("--heap", default="2g")
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "convert"
    results = []
    for rows in [args.rows, 4 * args.rows]:
        subprocess.run([sys.executable, HERE / "data.py", "--rows", str(rows), "--images", "0", "--out", work], check=True)
        results.append(measure(args.home, rows, work, args.heap))
        print(results[-1], file=sys.stderr, flush=True)
    small, large = results
    print("| rows | peak resident, MiB | largest heap after a collection, MiB |\n|---|---|---|")
    for result in results:
        print(f"| {result['rows']:,} | {result['residentMiB']:,} | {result['heapAfterCollectionMiB']:,} |")
    resident = large["residentMiB"] / small["residentMiB"]
    heap = large["heapAfterCollectionMiB"] / small["heapAfterCollectionMiB"]
    print(f"\n4 × the rows take {resident:.2f} × the resident memory and {heap:.2f} × the heap")
    (work.parent / "memory.json").write_text(json.dumps(results, indent=2) + "\n")


if __name__ == "__main__":
    main()
