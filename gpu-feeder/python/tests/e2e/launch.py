"""The project's folder, its launcher, and what a committed version is to the end-to-end tests."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock

# A test's Spark and feeder live for seconds: the whole optimizer and a parallel collector cost more than they bring.
SHORT_LIVED = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parents[3]
REAPER = HERE / "reaper.py"


@dataclass(frozen=True)
class House:
    """A committed version and the plan behind it."""

    root: Path  # <root>/<dataset>
    version: str
    plan: str
    prepared: str
    order: str

    @property
    def path(self) -> Path:
        return self.root / "versions" / self.version

    @property
    def order_file(self) -> Path:
        """The default order of the version."""
        return self.root / "orders" / self.order / "order.json"

    def linked(self, root: Path) -> House:
        """Returns this version below another dataset's folder, to which plans and mixtures are written."""
        commits = root / "commits"
        commits.mkdir(parents=True, exist_ok=True)
        for kind, name in (("versions", self.version), ("plans", self.plan), ("orders", self.order)):
            (root / kind).mkdir(exist_ok=True)
            (root / kind / name).symlink_to(self.root / kind / name)
        for commit in sorted((self.root / "commits").iterdir()):
            shutil.copy(commit, commits / f"{len(list(commits.iterdir())) + 1:010}.json")
        return House(root, self.version, self.plan, self.prepared, self.order)

    def copied(self, root: Path) -> House:
        """Returns a copy of the version and its orders below another dataset's folder."""
        for kind in ("orders", "commits"):
            shutil.copytree(self.root / kind, root / kind)
        shutil.copytree(self.path, root / "versions" / self.version)
        return House(root, self.version, self.plan, self.prepared, self.order)


def spark_home() -> Path:
    chosen = os.environ.get("SPARK_HOME")
    if chosen:
        return Path(chosen)
    found = list((PROJECT / ".envs" / "spark" / "lib").glob("python3*/site-packages/pyspark"))
    assert found, "no Spark: run conf/python/env.sh spark"
    return found[0]


def rankfeed(*words: object, timeout: float = 600, check: bool = True, **more) -> subprocess.CompletedProcess:
    """Runs ./rankfeed and returns the finished process; a failure shows what it said."""
    done = subprocess.run(
        [str(PROJECT / "rankfeed"), *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        **more,
    )
    if check:
        assert done.returncode == 0, (
            f"rankfeed {words[0]} ended with {done.returncode}:\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
        )
    return done


def answer(said: str) -> dict:
    """Returns the JSON object that a command printed, without lines of the JVM before it."""
    return json.loads(said[said.index("{\n") :])


def job_over(source: str, folder: Path) -> Path:
    """Returns the job of the house over another kind of table."""
    text = (HERE / "house.yaml").read_text()
    before = "{parquet: build/e2e/input}"
    assert before in text
    job = folder / "job.yaml"
    job.write_text(text.replace(before, source))
    return job


def made(root: Path, run: str, dataset: str = "house") -> House:
    facts = json.loads((root / dataset / "runs" / run / "run.json").read_text())
    assert facts["state"] == "committed", facts
    return House(root / dataset, facts["version"], facts["plan"], facts["prepared"], facts["order"])


@contextmanager
def made_once(folder: Path) -> Iterator[bool]:
    """Yields whether this worker makes the folder; the others wait until it is made."""
    done = folder.with_name(f"{folder.name}.done")
    with FileLock(folder.with_name(f"{folder.name}.lock")):
        yield not done.exists()
        done.touch()
