"""The start of a job with rankfeed's own settings: an archive of classes, and no warning of the JVM."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from launch import PROJECT, REAPER

from rankfeed_cli import java
from rankfeed_cli.checkout import Checkout
from rankfeed_cli.driver import Driver


class Jobs:
    """A job and a cache folder of its own, with the settings of a user who sets nothing."""

    def __init__(self, folder: Path):
        self.folder = folder
        rows = folder / "rows.jsonl"
        rows.write_text("".join(json.dumps({"id": i, "text": "x" * (i % 5)}) + "\n" for i in range(40)))
        self.file = folder / "job.json"
        job = {
            "dataset": "d",
            "sources": {"t": {"jsonl": str(rows)}},
            "prepare": {"select": {"from": "t", "columns": ["id", "length(text) AS n"]}},
            "sample": {"train": {"batch": 4, "lanes": 2}},
        }
        self.file.write_text(json.dumps(job))
        inherited = ("PATH", "HOME", "JAVA_HOME", "JDK25_HOME", "RANKFEED_PYTHON", "TMPDIR")
        self.variables = {name: os.environ[name] for name in inherited if name in os.environ}
        self.variables |= {"XDG_CACHE_HOME": str(folder / "cache"), "RANKFEED_BUILD": "never", "RANKFEED_AOT": "on"}

    def archive(self, spark_home: Path, monkeypatch) -> Path:
        monkeypatch.setenv("XDG_CACHE_HOME", self.variables["XDG_CACHE_HOME"])
        jar, delta = Checkout(PROJECT).jobs()
        return Driver(java.find(java.SPARK), spark_home, PROJECT / "conf" / "spark", [jar, *delta]).archive()

    def run(self, root: str, *more: str, **variables: str) -> tuple[str, dict]:
        """What a pipeline and the processes that it leaves print, and the facts of its run."""
        words = ["pipeline", self.file, "--set", f"root={self.folder / root}", "--run-id", "a", *more]
        done = subprocess.run(
            [sys.executable, "-P", REAPER, PROJECT / "rankfeed", *map(str, words)],
            env=self.variables | variables,
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        assert "WARNING" not in done.stderr + done.stdout
        facts = self.folder / root / "d" / "runs" / "a" / "run.json"
        return done.stdout + done.stderr, json.loads(facts.read_text()) if facts.is_file() else {}


@pytest.fixture
def jobs(tmp_path) -> Jobs:
    return Jobs(tmp_path)


@pytest.mark.nightly
def test_a_damaged_archive_is_ignored(jobs, spark_home, monkeypatch):
    archive = jobs.archive(spark_home, monkeypatch)
    archive.parent.mkdir(parents=True)
    archive.write_bytes(b"\0" * 4096)
    archive.with_suffix(".lock").write_text("4096")
    said, _ = jobs.run("dry", "--dry-run", "--progress", "none")
    assert said.startswith("prepare: 40 rows")
    assert archive.stat().st_size == 4096


@pytest.mark.nightly
def test_second_start_uses_the_archive_and_makes_the_same(jobs, spark_home, monkeypatch):
    archive = jobs.archive(spark_home, monkeypatch)
    _, first = jobs.run("first")
    assert archive.is_file()
    verbose = {"SPARK_SUBMIT_OPTS": "-Xlog:class+load"}
    said, second = jobs.run("second", **verbose)
    for name in ("org.apache.spark.SparkContext", "io.rankfeed.spark.JobRun"):
        assert f"{name} source: shared objects file (top)" in said
    os.truncate(archive, archive.stat().st_size // 2)
    _, truncated = jobs.run("truncated")
    _, off = jobs.run("off", RANKFEED_AOT="off")
    names = ("prepared", "plan", "version")
    assert len({tuple(facts[name] for name in names) for facts in (first, second, truncated, off)}) == 1
