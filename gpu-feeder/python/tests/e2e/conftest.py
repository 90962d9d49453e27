"""One generated table and one committed version, made once by the real launcher, for every end-to-end test."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from launch import HERE, PROJECT, House, rankfeed


@pytest.fixture(scope="session")
def project() -> Path:
    return PROJECT


@pytest.fixture(scope="session")
def spark_home(project: Path) -> Path:
    chosen = os.environ.get("SPARK_HOME")
    if chosen:
        return Path(chosen)
    found = list((project / ".envs" / "spark" / "lib").glob("python3*/site-packages/pyspark"))
    assert found, "no Spark: run conf/python/env.sh spark"
    return found[0]


@pytest.fixture(scope="session")
def work(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("house")


@pytest.fixture(scope="session")
def table(work: Path) -> Path:
    """A small CodeContests-shaped Parquet table with all three splits."""
    folder = work / "input"
    rankfeed("generate", "codecontests", "--rows", 4000, "--seed", 11, "--out", folder)
    return folder


@pytest.fixture(scope="session")
def house(work: Path, table: Path) -> House:
    """The feeds `curriculum` (stream), `plain` (pass) and `valid` (sequential) of one version; V = 4."""
    root = work / "root"
    rankfeed(
        "pipeline",
        HERE / "house.yaml",
        "--run-id",
        "house",
        "--set",
        f"root={root}",
        "--set",
        f"sources.solutions.parquet={table}",
    )
    facts = json.loads((root / "house" / "runs" / "house" / "run.json").read_text())
    return House(root / "house", facts["version"], facts["plan"], facts["prepared"])


@pytest.fixture
def runtime(tmp_path_factory):
    """A rendezvous folder of its own, short enough for a socket's name; checked to be left empty."""
    folder = Path(
        subprocess.run(["mktemp", "-d", "/tmp/rf-XXXXXX"], capture_output=True, text=True, check=True).stdout.strip()
    )
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def python() -> str:
    return sys.executable
