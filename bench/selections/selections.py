"""Measures how much of the prepared table `export` reads for 1, 5 and 50 % of its rows, by the file systems' own
counters.

Chosen rows are together (a condition on the table's order) or are scattered (drawn at random).
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
SHARES = (1, 5, 50)


def rankfeed(home: Path, spark: str, *words: object) -> str:
    command = [str(home / "rankfeed"), "--spark", spark, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=home)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}: {done.stderr[-2000:]}")
    return done.stdout


def bytes_read(log: Path) -> int:
    """Returns the bytes that tasks read, including the rows of the plan."""
    total = 0
    for file in log.iterdir():
        for line in file.open():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                total += (event.get("Task Metrics") or {}).get("Input Metrics", {}).get("Bytes Read", 0)
    return total


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=50_000)
    args = parser.parse_args()
    sys.path.insert(0, str(HERE.parent / "tokens"))
    import data

    work = args.home / "build" / "bench" / "selections"
    shutil.rmtree(work, ignore_errors=True)
    data.parquet(data.tokens(args.rows), work / "rows")
    job, quiet = HERE / "selections.yaml", "--conf spark.ui.enabled=false"
    prepared = Path(rankfeed(args.home, quiet, "prepare", job).split("prepared ")[1].split()[0].removeprefix("file:"))
    manifest = json.loads((prepared / "manifest.json").read_text())
    table = sum(file["bytes"] for file in manifest["files"])
    found = []
    for share in SHARES:
        chosen = args.rows * share // 100
        together = ["--set", f"sample.all.where=row < {chosen}"]
        scattered = ["--set", "sample.all.kind=train", "--set", f"sample.all.rows={chosen}"]
        scattered += ["--set", "sample.all.mode=stream"]
        for kind, words in (("together", together), ("scattered", scattered)):
            rankfeed(args.home, quiet, "sample", job, *words)
            log = work / f"log-{share}-{kind}"
            log.mkdir()
            events = "--conf spark.eventLog.enabled=true --conf spark.eventLog.compress=false"
            # Local files count no bytes of vectored reads.
            events += " --conf spark.hadoop.parquet.hadoop.vectored.io.enabled=false"
            events += f" --conf spark.eventLog.rolling.enabled=false --conf spark.eventLog.dir=file://{log}"
            rankfeed(args.home, f"{quiet} {events}", "export", job, *words)
            found.append({"share": share, "rows": kind, "bytes": bytes_read(log), "of": bytes_read(log) / table})
    (args.home / "build" / "bench" / "selections.json").write_text(
        json.dumps({"table": table, "runs": found}, indent=2)
    )
    print(f"\n{args.rows:,} rows, {len(manifest['files'])} files of one row group, {table:,} bytes\n")
    print("| chosen | rows are | bytes read | ÷ bytes of the table |\n|---|---|---|---|")
    for run in found:
        print(f"| {run['share']} % | {run['rows']} | {run['bytes']:,} | {run['of']:.3f} |")


if __name__ == "__main__":
    main()
