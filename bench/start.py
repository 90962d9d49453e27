"""Measures the start of a job: a pipeline over 200 rows and its dry run, next to a bare Spark job with the same JVM
options.

Starts take turns, and the median of each is printed. "script" is the pipeline that spark-submit starts, "archive" the
one that starts from an archive of classes, which is made before.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from clock import Clock

BARE = """import org.apache.spark.sql.SparkSession;
public final class Bare {
    public static void main(String[] args) {
        SparkSession spark = SparkSession.builder().getOrCreate();
        System.out.println(spark.range(10).count());
        spark.stop();
    }
}
"""
# Waits for the process that makes the archive, too.
REAPER = "gpu-feeder/python/tests/e2e/reaper.py"


class Starts:
    """The commands, in a folder of their own."""

    def __init__(self, home: Path, folder: Path):
        self.home = home
        self.folder = folder
        self.settings = home / "conf" / "spark"
        (self.spark,) = (home / ".envs" / "spark" / "lib").glob("python*/site-packages/pyspark")
        self.environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache")}
        self.environment |= {name: os.environ[name] for name in ("JAVA_HOME", "JDK25_HOME") if name in os.environ}
        (folder / "Bare.java").write_text(BARE)
        classes = ["javac", "--release", "17", "-cp", f"{self.spark}/jars/*", "-d", folder, folder / "Bare.java"]
        subprocess.run(classes, check=True)
        subprocess.run(["jar", "cf", folder / "bare.jar", "-C", folder, "Bare.class"], check=True)
        rows = folder / "rows.jsonl"
        rows.write_text("".join(json.dumps({"id": i, "text": f"t{i}"}) + "\n" for i in range(200)))
        job = {
            "dataset": "start",
            "sources": {"t": {"jsonl": str(rows)}},
            "prepare": {"select": {"from": "t", "columns": ["id", "length(text) AS n"]}},
            "sample": {"train": {"batch": 4, "lanes": 2}},
        }
        (folder / "job.json").write_text(json.dumps(job))

    def run(self, name: str, number: int) -> tuple[float, float]:
        """Returns the seconds and CPU seconds of one start."""
        words = [self.spark / "bin" / "spark-submit", "--class", "Bare", self.folder / "bare.jar"]
        environment = self.environment | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_CONF_DIR": str(self.settings)}
        if name != "bare":
            words = [self.home / "rankfeed", "pipeline", self.folder / "job.json", "--progress", "none"]
            words += ["--set", f"root={self.folder / f'{name} {number}'}", "--run-id", "a"]
        if "dry run" in name:
            words.append("--dry-run")
        if "archive" in name:
            environment = self.environment
        return self._timed(words, environment)

    def prepare(self) -> tuple[float, float]:
        """Runs the first start, which makes the archive."""
        words = [sys.executable, "-P", self.home / REAPER, self.home / "rankfeed", "pipeline", self.folder / "job.json"]
        words += ["--dry-run", "--progress", "none", "--set", f"root={self.folder / 'first'}"]
        return self._timed(words, self.environment)

    def _timed(self, words: list, environment: dict) -> tuple[float, float]:
        with Clock() as clock:
            subprocess.run(words, env=environment, capture_output=True, check=True)
        return clock.seconds, clock.cpu


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    names = ["bare", *(f"{what}, {how}" for what in ("pipeline", "dry run") for how in ("script", "archive"))]
    with tempfile.TemporaryDirectory() as folder:
        starts = Starts(given.home, Path(folder))
        print("archive made in {:.1f} s, {:.1f} s of CPU".format(*starts.prepare()), flush=True)
        taken = {name: [] for name in names}
        for number in range(given.rounds):
            for name in names:
                taken[name].append(starts.run(name, number))
        bare = [statistics.median(column) for column in zip(*taken["bare"], strict=True)]
        print("| start | s | CPU s | times the bare one | times its CPU |\n|---|---|---|---|---|")
        for name in names:
            wall, cpu = (statistics.median(column) for column in zip(*taken[name], strict=True))
            print(f"| {name} | {wall:.1f} | {cpu:.1f} | {wall / bare[0]:.2f} | {cpu / bare[1]:.2f} |")


if __name__ == "__main__":
    main()
