"""Has every writer convert the same Parquet table, each in a process of its own, in turn, and prints times and ratios side by side."""

from __future__ import annotations

import argparse
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

from clock import Clock

ENVIRONMENTS = {
    "rankfeed": "",
    "rankfeed:in-place": "",
    "spark": "spark",
    "mds:1": "peers-mds",
    "mds:2": "peers-mds",
    "litdata": "peers-convert",
    "huggingface": "peers-convert",
    "petastorm": "peers-petastorm",
}
FAST = ["rankfeed", "rankfeed:in-place", "huggingface", "spark"]
PHASES = ["prepare", "sample", "export"]


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def ours(kind: str, table: Path, out: Path, home: Path, spark: str = "", in_place: bool = False) -> dict:
    """Runs the three phases in one application; the rest of its time is the start and end of Spark."""
    words = ["--spark", spark] if spark else []
    prepare = ["--set", "prepare=none"] if in_place else []
    with Clock() as clock:
        done = subprocess.run(
            [home / "rankfeed", *words, "pipeline", HERE / f"{kind}.yaml", "--run-id", "bench", "--progress", "none",
             "--set", f"root={out}", "--set", f"sources.table.parquet={table}", *prepare],
            capture_output=True, text=True, timeout=1800,
        )  # fmt: skip
    if done.returncode:
        sys.exit(f"rankfeed failed:\n{done.stderr}")
    folder = out / f"bench-convert-{kind}"
    facts = json.loads((folder / "runs" / "bench" / "run.json").read_text())
    phases = {phase["name"]: float(phase["seconds"]) for phase in facts["phases"]}
    seconds = sum(phases.values())
    version = json.loads((folder / "versions" / facts["version"] / "manifest.json").read_text())
    size = sum(file["bytes"] for file in version["files"])
    return {
        "start": clock.seconds - seconds,
        "seconds": seconds,
        "cpu": clock.cpu,
        "rows": version["rows"],
        "bytes": size,
        **phases,
    }


def peer(name: str, table: Path, out: Path, home: Path) -> dict:
    env = {
        **os.environ,
        "SPARK_CONF_DIR": str(home / "conf" / "spark"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "HF_HUB_OFFLINE": "1",
    }
    python = home / ".envs" / ENVIRONMENTS[name] / "bin" / "python"
    env["PYSPARK_PYTHON"] = str(python)
    done = subprocess.run(
        [python, HERE / "writers.py", name, "--table", table, "--out", out, "--began", str(time.time())],
        env=env, capture_output=True, text=True, timeout=1800,
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"{name} failed:\n{done.stderr}")
    return json.loads(done.stdout.splitlines()[-1])


def measure(name: str, kind: str, rows: int, args, work: Path) -> dict:
    out = work / f"out-{kind}-{name.replace(':', '-')}"
    shutil.rmtree(out, ignore_errors=True)
    table = work / f"{kind}-{rows}"
    try:
        if name.startswith("rankfeed"):
            found = ours(kind, table, out, args.home, in_place=name == "rankfeed:in-place")
        else:
            found = peer(name, table, out, args.home)
    finally:
        shutil.rmtree(out, ignore_errors=True)
    if found["rows"] < rows - rows % 256 or found["rows"] > rows:
        sys.exit(f"{name} wrote {found['rows']} of {rows} rows")
    os.sync()  # what one left in the page cache is not written out during the next one's time
    say(
        f"{kind}  {name:12s} {found['seconds']:8.1f} s and {found['start']:.1f} s to start, {found['rows'] / found['seconds']:10,.0f} rows/s, {found['cpu']:.0f} s of CPU"
        + "".join(f", {phase} {found[phase]:.1f} s" for phase in PHASES if phase in found)
    )
    return found


def median(found: list[dict], key: str) -> float:
    return statistics.median(result[key] for result in found)


def table(kind: str, rows: int, results: dict[str, list[dict]]) -> list[str]:
    seconds = {name: median(found, "seconds") for name, found in results.items()}
    columns = ["start", "cpu", "bytes"]
    lines = {name: (seconds[name], *(median(found, column) for column in columns)) for name, found in results.items()}
    cuts = None
    for writer in [name for name in results if name.startswith("rankfeed")]:
        for phase in PHASES:
            lines[f"{writer}: {phase} alone"] = (median(results[writer], phase), *[None] * 3)
    if "rankfeed" in results:
        cuts = statistics.median(result["sample"] + result["export"] for result in results["rankfeed"])
        lines["rankfeed: sample + export"] = (cuts, *[None] * 3)
    text = [
        f"\n{kind}: {rows:,} rows",
        "",
        "| writer | seconds, on disk | rows/s | start-up, s | CPU, s | bytes |",
    ]
    text.append("|---|---|---|---|---|---|")
    for name, (took, *others) in sorted(lines.items(), key=lambda item: item[1][0]):
        shown = ["" if value is None else f"{value:,.{digits}f}" for value, digits in zip(others, [1, 0, 0], strict=True)]
        text.append(f"| {name} | {took:.1f} | {rows / took:,.0f} | {' | '.join(shown)} |")
    text.append("")
    for name in ["mds:1", "mds:2", "litdata", "petastorm", "huggingface"]:
        if cuts and name in seconds:
            text.append(f"sample + export against {name}: {seconds[name] / cuts:.1f} × as fast")
    if cuts and "spark" in seconds:
        text.append(f"prepare takes {median(results['rankfeed'], 'prepare') / seconds['spark']:.2f} × the time of the stock Spark write,")
        text.append(f"all three {seconds['rankfeed'] / seconds['spark']:.2f} ×")
    whole = {name: statistics.median(one["seconds"] + one["start"] for one in found) for name, found in results.items()}
    if "rankfeed:in-place" in whole and "huggingface" in whole:
        text.append(f"in place, start included: {whole['rankfeed:in-place'] / whole['huggingface']:.2f} × the time of Hugging Face")
    if "rankfeed" in whole and "spark" in whole:
        prepare = whole["rankfeed"] - cuts
        text.append(f"prepare, start included: {prepare / whole['spark']:.2f} × the time of the stock Spark write and its start")
    return text


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rows", type=int, default=1_000_000, help="of 512 tokens; 0 for none")
    parser.add_argument("--images", type=int, default=0, help="JPEG rows; 0 for none")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", nargs="*", choices=list(ENVIRONMENTS), default=FAST)
    args = parser.parse_args()
    work = args.home / "build" / "bench" / "convert"
    subprocess.run(
        [sys.executable, HERE / "data.py", "--rows", str(args.rows), "--images", str(args.images), "--out", work],
        check=True,
    )
    os.sync()
    kept = {}
    for kind, rows in [("tokens", args.rows), ("images", args.images)]:
        if rows:
            results: dict[str, list[dict]] = {name: [] for name in args.only}
            for _ in range(args.rounds):
                for name in args.only:
                    results[name].append(measure(name, kind, rows, args, work))
            print("\n".join(table(kind, rows, results)), flush=True)
            kept[kind] = {"rows": rows, "results": results}
    (work.parent / "convert.json").write_text(json.dumps(kept, indent=2) + "\n")


if __name__ == "__main__":
    main()
