"""The shipped DAG, run by a real Airflow against the real spark-submit."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest
from launch import HERE


@pytest.fixture(scope="module")
def airflow(project: Path, spark_home: Path, table: Path, tmp_path_factory):
    """Runs an airflow command in a fresh home; returns the finished process."""
    home = tmp_path_factory.mktemp("airflow")
    root = home / "artefacts"
    env = {
        **os.environ,
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__CORE__DAGS_FOLDER": str(project / "conf" / "airflow" / "dags"),
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
        "AIRFLOW_CONN_SPARK_RANKFEED": json.dumps(
            {
                "conn_type": "spark",
                "host": "local[2]",
                "extra": {"deploy-mode": "client", "spark-binary": "spark-submit"},
            }
        ),
        "SPARK_CONF_DIR": str(project / "conf" / "spark"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PATH": f"{spark_home / 'bin'}:{os.environ['PATH']}",
        "SPARK_HOME": str(spark_home),
        "RANKFEED_HOME": str(project),
        "RANKFEED_ROOT": str(root),
        "RANKFEED_INPUT": str(table),
        "RANKFEED_JOB": str(HERE / "house.yaml"),
        "RANKFEED_DATASET": "house",
    }

    def run(*words: str, **more: str) -> subprocess.CompletedProcess:
        command = [str(project / ".envs" / "airflow" / "bin" / "airflow"), *words]
        return subprocess.run(
            command, env={**env, **more}, capture_output=True, text=True, check=False, timeout=600, cwd=home
        )

    migrated = run("db", "migrate")
    assert migrated.returncode == 0, migrated.stderr[-2000:]
    run.root = root
    return run


def test_the_dag_makes_a_version_and_a_task_run_again_makes_no_other(airflow):
    done = airflow("dags", "test", "rankfeed_codecontests", "2026-01-02")
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    versions = list((airflow.root / "house" / "versions").glob("*/manifest.json"))
    assert len(versions) == 1
    before = versions[0].read_bytes()

    again = airflow("tasks", "test", "rankfeed_codecontests", "export", "2026-01-03")
    assert again.returncode == 0, (again.stdout + again.stderr)[-4000:]
    assert list((airflow.root / "house" / "versions").glob("*/manifest.json")) == versions
    assert versions[0].read_bytes() == before


def test_a_job_that_is_wrong_fails_at_once_and_is_not_retried(airflow, tmp_path):
    job = tmp_path / "wrong.yaml"
    job.write_text("dataset: house\nrooot: nowhere\n")
    done = airflow("dags", "test", "rankfeed_codecontests", "2026-01-04", RANKFEED_JOB=str(job))
    said = done.stdout + done.stderr
    assert "did you mean 'root'" in said
    assert "rankfeed ended with exit code 2" in said
    assert "up_for_retry" not in said.lower()
