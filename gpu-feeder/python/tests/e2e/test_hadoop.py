"""The whole line on HDFS and YARN: the pipeline writes there, and a feeder copies its lanes from there."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import jobs
import pytest
from claims import Plan, assert_train_claims
from hadoop import MiniHadoop
from launch import HERE, SHORT_LIVED, rankfeed
from nodes import Feeder, log_rows


@pytest.fixture(scope="module")
def hadoop(tmp_path_factory):
    with MiniHadoop(tmp_path_factory.mktemp("hadoop")) as running:
        yield running


def manifests(root: Path) -> dict[str, str]:
    """A manifest holds the SHA-256 of each file it lists."""
    return {str(m.relative_to(root)): m.read_text() for m in sorted(root.glob("*/*/manifest.json"))}


@pytest.mark.nightly
def test_pipeline_on_yarn_is_fed_from_hdfs(hadoop, spark_home, project, table, house, runtime, tmp_path, monkeypatch):
    monkeypatch.setenv("HADOOP_CONF_DIR", str(hadoop.conf))
    monkeypatch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
    conf = {
        "spark.yarn.jars": f"local:{spark_home}/jars/*",
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.extraJavaOptions": SHORT_LIVED,
        "spark.executor.extraJavaOptions": SHORT_LIVED,
        "spark.yarn.am.memory": "256m",
    }
    command = [
        str(spark_home / "bin" / "spark-submit"), "--master", "yarn", "--num-executors", "2",
        "--driver-memory", "512m", "--executor-memory", "512m",
        *[word for key, value in conf.items() for word in ("--conf", f"{key}={value}")],
        "--class", "io.rankfeed.spark.PipelineJob", str(project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"),
        str(HERE / "house.yaml"), "--run-id", "yarn", "--set", "root=/data/rankfeed",
        "--set", f"sources.solutions.parquet={table.as_uri()}",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=os.environ)
    assert done.returncode == 0, done.stderr[-3000:] + hadoop.containers_said()
    assert f"version /data/rankfeed/house/versions/{house.version}" in done.stdout

    local = tmp_path / "house"
    hadoop.copy("/data/rankfeed/house", local, spark_home)
    facts = json.loads((local / "runs" / "yarn" / "run.json").read_text())
    assert facts["state"] == "committed" and facts["sparkApplication"].startswith("application_")
    assert manifests(local) == manifests(house.root)

    address = f"{hadoop.uri}/data/rankfeed/house/versions/{house.version}"
    with Feeder(address, runtime, "hdfs", "--cache", tmp_path / "cache", "--ranks", "0-1", "--world", "2") as feeder:
        log = log_rows(feeder.env, 2, tmp_path / "log", "curriculum")
    assert_train_claims(Plan(house.root, house.version, "curriculum"), log)
    copied = tmp_path / "cache" / "house" / house.version
    listed = json.loads((house.path / "manifest.json").read_text())["files"]
    for entry in listed:
        assert (copied / entry["path"]).read_bytes() == (house.path / entry["path"]).read_bytes()

    gone = rankfeed("feed", address[:-1] + "x", "--cache", tmp_path / "cache", check=False)
    assert (gone.returncode, "no version is there" in gone.stderr) == (2, True), gone.stderr


@pytest.mark.nightly
def test_copies_in_other_formats_have_the_same_files_on_hdfs(hadoop, spark_home, table, tmp_path):
    formats = "lanes, {format: huggingface, ranks: 2}, {format: mds, shard-bytes: 64 KiB}, lmdb, tfrecord, webdataset"
    for root in (f"{hadoop.uri}/data/copies", tmp_path / "local"):
        over = [f"root={root}", f"sources.solutions.parquet={table}", f"export.formats=[{formats}]"]
        words = [word for setting in over for word in ("--set", setting)]
        jobs.job("pipeline", HERE / "house.yaml", "--run-id", "copies", *words)
    hadoop.copy("/data/copies/house", tmp_path / "hdfs", spark_home)
    found, expected = (
        {file.relative_to(folder): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        for folder in (tmp_path / "hdfs" / "formats", tmp_path / "local" / "house" / "formats")
    )
    assert found == expected
    assert len(list((tmp_path / "hdfs" / "formats").glob("*/manifest.json"))) == 5
