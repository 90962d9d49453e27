"""The jobs on a real standalone cluster: both modes, an executor killed, a Delta table, a failing driver."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from claims import assert_same_plan
from cluster import Cluster
from launch import HERE, job_over, made, rankfeed


@pytest.fixture(scope="module")
def cluster(spark_home, tmp_path_factory):
    with Cluster(spark_home, tmp_path_factory.mktemp("cluster")) as running:
        yield running


def facts(root: Path, run: str) -> dict:
    return json.loads((root / "house" / "runs" / run / "run.json").read_text())


def words(root: Path, table: Path, run: str) -> list:
    return [
        HERE / "house.yaml",
        "--run-id",
        run,
        "--set",
        f"root={root}",
        "--set",
        f"sources.solutions.parquet={table}",
    ]


def digests(root: Path) -> dict[str, str]:
    """Returns every manifest under the root: its path and bytes (a manifest holds the SHA-256 of each file it
    lists)."""
    return {str(m.relative_to(root)): m.read_text() for m in sorted(root.glob("house/*/*/manifest.json"))}


@pytest.mark.nightly
def test_client_mode_with_killed_executor_gives_same_bytes(cluster, project, table, house, tmp_path):
    jar = project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
    died = tmp_path / "died"
    running = cluster.submit(
        jar,
        "io.rankfeed.spark.PipelineJob",
        *words(tmp_path, table, "client"),
        conf={
            "spark.sql.shuffle.partitions": "7",
            "spark.sql.adaptive.enabled": "false",
            # The first executor that is about to put a file in place dies there, as of kill -9: within a task.
            "spark.executorEnv.RANKFEED_FAULT": f"file.before-rename@{died}",
        },
    )
    said, _ = running.communicate(timeout=300)
    assert running.returncode == 0, said[-4000:]
    assert died.exists()
    assert "Lost executor" in said and "Lost task" in said, said[-4000:]
    assert facts(tmp_path, "client")["state"] == "committed"
    assert digests(tmp_path) == digests(house.root.parent)


@pytest.mark.nightly
def test_cluster_mode_commits_and_records_failing_drivers(cluster, project, table, house, tmp_path):
    jar = project / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"
    good = cluster.submit(jar, "io.rankfeed.spark.PipelineJob", *words(tmp_path, table, "cluster"), mode="cluster")
    said, _ = good.communicate(timeout=120)
    assert cluster.driver_state() == "FINISHED", said
    assert facts(tmp_path, "cluster")["state"] == "committed"
    assert digests(tmp_path) == digests(house.root.parent)

    bad = cluster.submit(
        jar,
        "io.rankfeed.spark.PipelineJob",
        *words(tmp_path, table, "wrong"),
        "--set",
        "sample.curriculum.on-shortage=error",
        "--set",
        "sample.curriculum.rows=1000000",
        mode="cluster",
    )
    said, _ = bad.communicate(timeout=120)
    assert cluster.driver_state() == "FAILED", said
    wrong = facts(tmp_path, "wrong")
    assert (wrong["state"], wrong["exitCode"]) == ("failed", 2)
    assert "stratum" in wrong["error"]


@pytest.mark.nightly
def test_delta_table_on_cluster_gives_same_plan_and_version(house, project, cluster, tmp_path):
    source = tmp_path / "input"
    rankfeed("generate", "codecontests", "--rows", 4000, "--seed", 11, "--out", source, "--format", "delta")
    jars = sorted((project / "spark-jobs" / "target" / "delta").glob("*.jar"))
    job = job_over(f"{{delta: {source}}}", tmp_path)
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
