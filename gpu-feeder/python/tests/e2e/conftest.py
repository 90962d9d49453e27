"""The fixtures of the end-to-end tests: one table and one committed version; the first worker that needs one makes
it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import jobs
import launch
import pyarrow.parquet as pq
import pytest
from filelock import FileLock
from launch import HERE, PROJECT, SHORT_LIVED, House, made, made_once, rankfeed
from pictures import picture_feeder, pictures, undisturbed  # noqa: F401
from sheets import shown  # noqa: F401
from texts import packed, text_feeder, texts  # noqa: F401

# Four stages that end by step, rows, epoch and run, with margins, floors, caps and an order from short to long.
SHAPED = """{where: "split = 'train' AND difficulty > 0", batch: 32, lanes: 4, rows: 640, epochs: 2, seed: 5,
  strata: [{column: is_correct}, {column: difficulty, bins: {low: [1, 3], med: [4, 7], high: [8, 29]}}],
  floors: {false/low: 0.1}, caps: {true/med: 0.55}, on-shortage: repeat, stages: [
  {until-step: 8, margins: {is_correct: {true: 1, false: 1}, difficulty: {low: 3, med: 1, high: 0}}},
  {rows: 320, margins: {is_correct: {true: 3, false: 1}}, weights: {low: 1, med: 4, high: 0}, order-by: length},
  {until-epoch: 1.5, weights: {low: 1, med: 8, high: 1}},
  {margins: {is_correct: {true: 1, false: 3}}, weights: {low: 1, med: 3, high: 0}}]}"""

# Flags for class-data archives.
READ, WRITE = "-XX:SharedArchiveFile=", "-Xlog:cds*=off -XX:ArchiveClassesAtExit="

# Stages that take some rows only.
STAGED = """{where: "split = 'train' AND difficulty > 0", batch: 32, lanes: 4, rows: 160, epochs: 2, seed: 5,
  strata: [{column: is_correct}], balance: [is_correct], on-shortage: repeat, stages: [
  {until: 0.5, where: length < 300}, {where: difficulty > 1, order-by: length}]}"""

# A pass that leaves out other rows in every epoch, and batches that grow by stage.
ROTATING = "{where: split = 'train', batch: 36, lanes: 12, epochs: 3, seed: 3}"
GROWING = """{where: split = 'train', batch: 64, lanes: 4, rows: 650, epochs: 2, seed: 6, pool: all,
  strata: [{column: is_correct}], balance: [is_correct],
  stages: [{until-epoch: 0.5, batch: 16}, {until-epoch: 1, batch: 32}, {}]}"""

LISTED = "{order: planned, batch: 16, lanes: 4, rows: 320, list: {text: set-below}}"


def pytest_collection_modifyitems(items):
    """Sorts the first file that needs the house to the front, and the files without it before the others: while one
    worker makes the house, the other one does not wait for it."""
    needs: dict[Path, bool] = {}
    for item in items:
        needs[item.path] = needs.get(item.path, False) or "house" in item.fixturenames
    first = next((file for file, needed in needs.items() if needed), None)
    items.sort(key=lambda item: 0 if item.path == first else 2 if needs[item.path] else 1)


def keys_from_anywhere(table: Path) -> list[str]:
    """Returns some keys of the train split, in an order that is neither the table's nor the keys'."""
    rows = pq.read_table(table, columns=["task_id", "split"]).to_pylist()
    keys = sorted((row["task_id"] for row in rows if row["split"] == "train"), key=lambda key: key[::-1])
    return keys[100:440]


@pytest.fixture(scope="session", autouse=True)
def short_lived(work: Path) -> Iterator[None]:
    """The flags of every JVM that a test of this folder starts: spark-submit's driver and the feeder.

    Each maps the classes that `house` archived. The class path of an archive has no folder with files in it, so
    the folder of Spark's configuration is empty, and flags name the files.
    """
    conf = PROJECT / "conf" / "spark"
    empty = work / "conf"
    empty.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        for name in ("SPARK_SUBMIT_OPTS", "RANKFEED_JAVA_OPTS"):
            patch.setenv(name, f"{os.environ.get(name, '')} {SHORT_LIVED} {READ}{work / name}.jsa".strip())
        patch.setenv("SPARK_SUBMIT_OPTS", f"-Dlog4j2.configurationFile={conf / 'log4j2.properties'}", prepend=" ")
        patch.setenv("SPARK_CONF_DIR", str(empty))
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("RANKFEED_SPARK_ARGS", f"--properties-file {conf / 'spark-defaults.conf'}")
        yield
    jobs.close()


@pytest.fixture(scope="session")
def project() -> Path:
    return PROJECT


@pytest.fixture(scope="session")
def spark_home() -> Path:
    return launch.spark_home()


@pytest.fixture(scope="session")
def work(tmp_path_factory) -> Path:
    """A folder that all workers of this run share (each has a base folder of its own next to the others')."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "house"
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def archived(work: Path, flags: str) -> Iterator[bool]:
    """Archives the classes of a JVM that the block starts with these flags. Yields whether there is no archive yet."""
    archive = work / f"{flags}.jsa"
    attempt = archive.with_suffix(".attempt")
    with FileLock(archive.with_suffix(".lock")), pytest.MonkeyPatch.context() as patch:
        missing = not archive.exists()
        if missing:
            patch.setenv(flags, os.environ[flags].replace(f"{READ}{archive}", f"{WRITE}{attempt}"))
        yield missing
        if attempt.exists():
            attempt.rename(archive)


@pytest.fixture(scope="session")
def table(work: Path) -> Path:
    """A small CodeContests-shaped Parquet table with all three splits."""
    folder = work / "input"
    with made_once(folder) as mine:
        if mine:
            jobs.job("generate", "codecontests", "--rows", 4000, "--seed", 11, "--out", folder)
    return folder


def built(root: Path, table: Path, *more: str, run: Callable[..., object] = jobs.job) -> House:
    """Runs the job once, and returns what it makes under the root."""
    with made_once(root) as mine:
        if mine:
            over = [f"root={root}", f"sources.solutions.parquet={table}", *more]
            run("pipeline", HERE / "house.yaml", "--run-id", "house", *(w for o in over for w in ("--set", o)))
    return made(root, "house")


@pytest.fixture(scope="session")
def house(work: Path, table: Path) -> House:
    """One version of the job's feeds: `curriculum` (V = 4), `plain` (V = 12) and `valid`."""
    with archived(work, "SPARK_SUBMIT_OPTS"):
        house = built(work / "root", table, run=rankfeed)
    with archived(work, "RANKFEED_JAVA_OPTS") as mine:
        if mine:
            rankfeed("verify", house.path)
    return house


@pytest.fixture(scope="session")
def house_with_more_feeds(work: Path, table: Path) -> House:
    """The version of the job's feeds, and `SHAPED`, `STAGED`, `ROTATING`, `GROWING` and `LISTED`."""
    listed = work / "listed.txt"
    with made_once(listed) as mine:
        if mine:
            listed.write_text("\n".join(keys_from_anywhere(table)))
    more = {"shaped": SHAPED, "staged": STAGED, "rotating": ROTATING, "growing": GROWING, "listed": LISTED}
    more = {name: " ".join(feed.split()) for name, feed in more.items()} | {"listed.list.text": listed}
    return built(work / "more", table, *(f"sample.{key}={value}" for key, value in more.items()))


@pytest.fixture
def runtime(tmp_path_factory):
    """A rendezvous folder of its own, short enough for a socket's name; checked to be left empty."""
    folder = Path(
        subprocess.run(["mktemp", "-d", "/tmp/rf-XXXXXX"], capture_output=True, text=True, check=True).stdout.strip()
    )
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def large_house(work: Path, table: Path) -> House:
    """The version of the job's feeds, with rows of 16 KiB."""
    sql = """SELECT task_id, split, is_correct, difficulty, encode(rpad(output, 16384, '.'), 'UTF-8') AS input_ids,
      CAST(length(output) AS INT) AS length FROM solutions"""
    return built(work / "large", table, f"prepare.sql={sql}")
