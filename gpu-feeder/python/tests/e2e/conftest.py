"""What the end-to-end tests share: one table and one committed version; the first worker that needs one makes it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from filelock import FileLock
from launch import HERE, PROJECT, SHORT_LIVED, House, rankfeed


@pytest.fixture(scope="session", autouse=True)
def short_lived() -> Iterator[None]:
    """The flags of every JVM that a test of this folder starts: spark-submit's driver and the feeder."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SPARK_SUBMIT_OPTS", "RANKFEED_JAVA_OPTS"):
            patch.setenv(name, f"{os.environ.get(name, '')} {SHORT_LIVED}".strip())
        yield


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
    """A folder that all workers of this run share (each has a base folder of its own beside the others')."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "house"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def made_once(folder: Path) -> Iterator[bool]:
    """Whether this worker is the one to make the folder; the others wait until it is made."""
    done = folder.with_name(f"{folder.name}.done")
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        yield not done.exists()
        done.touch()


@pytest.fixture(scope="session")
def table(work: Path) -> Path:
    """A small CodeContests-shaped Parquet table with all three splits."""
    folder = work / "input"
    with made_once(folder) as mine:
        if mine:
            rankfeed("generate", "codecontests", "--rows", 4000, "--seed", 11, "--out", folder)
    return folder


@pytest.fixture(scope="session")
def house(work: Path, table: Path) -> House:
    """The feeds `curriculum` (stream, V = 4), `plain` (pass, V = 12) and `valid` (sequential, V = 4) of one version."""
    root = work / "root"
    with made_once(root) as mine:
        if mine:
            over = [f"root={root}", f"sources.solutions.parquet={table}"]
            rankfeed("pipeline", HERE / "house.yaml", "--run-id", "house", "--set", over[0], "--set", over[1])
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
