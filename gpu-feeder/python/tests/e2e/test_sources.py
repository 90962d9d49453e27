"""The same rows from Hive and from Delta, through a real spark-submit, give the same plan as from Parquet."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from claims import Plan
from cluster import Cluster
from launch import HERE, House, rankfeed

FEEDS = ("curriculum", "plain", "valid")


def job_over(source: str, folder: Path) -> Path:
    """The house's job, reading another kind of table."""
    text = (HERE / "house.yaml").read_text()
    before = "{parquet: build/e2e/input}"
    assert before in text
    job = folder / "job.yaml"
    job.write_text(text.replace(before, source))
    return job


def made(root: Path, run: str) -> House:
    facts = json.loads((root / "house" / "runs" / run / "run.json").read_text())
    assert facts["state"] == "committed", facts
    return House(root / "house", facts["version"], facts["plan"], facts["prepared"])


def assert_same_plan(one: House, other: House) -> None:
    """Selection, lists and lanes follow from the keys, so they are equal wherever the rows lie."""
    for feed in FEEDS[:2]:
        assert Plan(one.root, one.version, feed).by_index == Plan(other.root, other.version, feed).by_index
    # A sequential feed keeps the prepared table's order; with a key that too follows from the keys.
    assert set(Plan(one.root, one.version, "valid").stratum) == set(Plan(other.root, other.version, "valid").stratum)


def metastore(folder: Path) -> list[str]:
    settings = {
        "spark.sql.warehouse.dir": f"{folder}/warehouse",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={folder}/metastore;create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={folder}",
        "spark.ui.enabled": "false",
    }
    return [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]


@pytest.fixture(scope="module")
def hive(spark_home, table, tmp_path_factory) -> Path:
    """A partitioned Hive table in an embedded Derby metastore."""
    folder = tmp_path_factory.mktemp("hive")
    statement = (
        "CREATE DATABASE demo; CREATE TABLE demo.solutions USING parquet PARTITIONED BY (split) "
        f"AS SELECT * FROM parquet.`{table}`"
    )
    sql = [str(spark_home / "bin" / "spark-sql"), "--master", "local[2]", *metastore(folder), "-e", statement]
    done = subprocess.run(sql, capture_output=True, text=True, cwd=folder, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder


def test_a_hive_table_gives_the_same_plan(house, hive, tmp_path):
    job = job_over("{hive: demo.solutions}", tmp_path)
    words = ["pipeline", job, "--run-id", "hive", "--set", f"root={tmp_path / 'root'}"]
    rankfeed("--spark", " ".join(metastore(hive)), *words, cwd=tmp_path)
    assert_same_plan(house, made(tmp_path / "root", "hive"))
    assert not (tmp_path / "metastore_db").exists() and not (tmp_path / "spark-warehouse").exists()


def test_a_hive_table_that_is_not_there_is_named(hive, tmp_path):
    job = job_over("{hive: demo.nothing}", tmp_path)
    words = ["prepare", job, "--run-id", "gone", "--set", f"root={tmp_path / 'root'}"]
    done = rankfeed("--spark", " ".join(metastore(hive)), *words, cwd=tmp_path, check=False)
    assert done.returncode == 2, done.stderr
    assert "demo.nothing" in done.stderr


def test_a_delta_table_on_a_cluster_gives_the_same_plan_and_pins_its_version(
    house, project, spark_home, work, tmp_path
):
    source = work / "delta"
    if not source.exists():
        rankfeed("generate", "codecontests", "--rows", 4000, "--seed", 11, "--out", source, "--format", "delta")
    jars = sorted((project / "spark-jobs" / "target" / "delta").glob("*.jar"))
    job = job_over(f"{{delta: {source}}}", tmp_path)
    with Cluster(spark_home, tmp_path) as cluster:
        running = cluster.submit(
            project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar",
            "io.rankfeed.spark.PipelineJob",
            *[job, "--run-id", "delta", "--set", f"root={tmp_path / 'root'}"],
            jars=",".join(map(str, jars)),
        )
        said, _ = running.communicate(timeout=300)
    assert running.returncode == 0, said[-4000:]
    version = made(tmp_path / "root", "delta")
    assert_same_plan(house, version)
    manifest = json.loads((version.root / "prepared" / version.prepared / "manifest.json").read_text())
    assert [entry["version"] for entry in manifest["inputs"] if entry["kind"] == "delta"] == [0]


def test_a_job_file_on_another_file_system_and_one_shipped_with_files(project, spark_home, table, house, tmp_path):
    """`file:` stands for any Hadoop file system here; --files brings the job beside the driver."""
    root = tmp_path / "root"
    jar = project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
    words = ["--set", f"root={root}", "--set", f"sources.solutions.parquet={table}"]
    submit = [str(spark_home / "bin" / "spark-submit"), "--master", "local[2]", "--conf", "spark.ui.enabled=false"]
    for run, shipped, job in [
        ("uri", [], (HERE / "house.yaml").as_uri()),
        ("files", ["--files", str(HERE / "house.yaml")], "house.yaml"),
    ]:
        command = [*submit, *shipped, "--class", "io.rankfeed.spark.PrepareJob", str(jar), job, "--run-id", run, *words]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, timeout=300, env=os.environ, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
    prepared = [
        json.loads((root / "house" / "runs" / run / "run.json").read_text())["prepared"] for run in ("uri", "files")
    ]
    assert prepared == [house.prepared] * 2


def test_a_relative_root_lies_in_the_working_directory(table, house, tmp_path):
    words = ["prepare", HERE / "house.yaml", "--run-id", "here", "--set", "root=out/put"]
    rankfeed(*words, "--set", f"sources.solutions.parquet={table}", cwd=tmp_path)
    facts = json.loads((tmp_path / "out" / "put" / "house" / "runs" / "here" / "run.json").read_text())
    assert (facts["state"], facts["prepared"]) == ("committed", house.prepared)


def test_a_query_that_does_not_parse_is_told_why(table, tmp_path):
    job = tmp_path / "job.yaml"
    job.write_text(
        f"dataset: wrong\nroot: {tmp_path}\nsources: {{t: {{parquet: '{table}'}}}}\n"
        "prepare: {sql: SELEC task_id FROM t}\n"
    )
    done = rankfeed("prepare", job, check=False)
    assert done.returncode == 2
    assert "SELEC" in done.stderr


def test_a_folder_with_an_empty_parquet_file_is_read(table, house, tmp_path):
    import pyarrow.parquet as pq

    folder = tmp_path / "input"
    folder.mkdir()
    rows = pq.read_table(table)
    pq.write_table(rows, folder / "part-0.parquet")
    pq.write_table(rows.slice(0, 0), folder / "part-1.parquet")
    words = ["prepare", HERE / "house.yaml", "--run-id", "empty", "--set", f"root={tmp_path / 'root'}"]
    rankfeed(*words, "--set", f"sources.solutions.parquet={folder}")
    facts = json.loads((tmp_path / "root" / "house" / "runs" / "empty" / "run.json").read_text())
    read, whole = (
        json.loads((root / "prepared" / prepared / "manifest.json").read_text())["rows"]
        for root, prepared in [(tmp_path / "root" / "house", facts["prepared"]), (house.root, house.prepared)]
    )
    assert read == whole
