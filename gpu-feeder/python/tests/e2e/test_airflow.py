"""The shipped DAG, run by a real Airflow against the real spark-submit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from launch import HERE, PROJECT
from pages import blocks

TASKS = """
from rankfeed_codecontests import dag
print(*(f"{task.task_id} {sorted(task.downstream_task_ids)}" for task in dag.topological_sort()))
"""


def commands() -> list[str]:
    """The commands of docs/how-to/airflow.md, exactly as they are written."""
    (block,) = [block.text for block in blocks(PROJECT / "docs" / "how-to" / "airflow.md") if block.runs]
    return block.strip().replace("\\\n", " ").splitlines()


@pytest.fixture(scope="module")
def airflow(project: Path, table: Path, tmp_path_factory):
    """Runs lines of bash in the project's folder, those of the guide that set Airflow up before them."""
    home = tmp_path_factory.mktemp("airflow")
    root = home / "artifacts"
    env = {
        **{name: value for name, value in os.environ.items() if not name.startswith(("AIRFLOW", "SPARK_HOME"))},
        "AIRFLOW_HOME": str(home),
        "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
        "AIRFLOW__USAGE_DATA_COLLECTION__ENABLED": "False",
        "SPARK_LOCAL_IP": "127.0.0.1",
        "RANKFEED_ROOT": str(root),
        "RANKFEED_INPUT": str(table),
        "RANKFEED_JOB": str(HERE / "house.yaml"),
        "RANKFEED_DATASET": "house",
    }
    *setup, migrate, run_dag = commands()
    assert run_dag == "airflow dags test rankfeed_codecontests"

    def bash(*lines: str, **more: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", "\n".join(lines)],
            env={**env, **more}, capture_output=True, text=True, check=False, timeout=600, cwd=project,
        )  # fmt: skip

    migrated = bash(*setup, migrate)
    assert migrated.returncode == 0, migrated.stderr[-2000:]

    def run(line: str = run_dag, **more: str) -> subprocess.CompletedProcess:
        return bash(*setup, line, **more)

    run.root = root
    return run


@pytest.fixture(scope="module")
def version(airflow) -> Path:
    """The manifest of the version that the guide's commands make."""
    done = airflow()
    assert done.returncode == 0, (done.stdout + done.stderr)[-4000:]
    (manifest,) = (airflow.root / "house" / "versions").glob("*/manifest.json")
    return manifest


def test_shipped_dag_runs_the_three_jobs_in_turn(tmp_path):
    said = subprocess.run(
        [str(PROJECT / ".envs/airflow/bin/python"), "-c", TASKS],
        env={**os.environ, "AIRFLOW_HOME": str(tmp_path), "PYTHONPATH": str(PROJECT / "conf/airflow/dags")},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.splitlines()[-1] == "prepare ['sample'] sample ['export'] export []"


@pytest.mark.nightly
def test_guide_commands_export_one_version(version):
    assert json.loads(version.read_text())["format"] == "rankfeed.version"


@pytest.mark.nightly
def test_run_over_existing_artifacts_makes_no_version(airflow, version):
    before = version.read_bytes()
    # Another root in the same database, which has the artifacts already.
    moved = airflow.root.with_name("moved")
    shutil.copytree(airflow.root, moved)
    again = airflow(RANKFEED_ROOT=str(moved))
    assert again.returncode == 0, (again.stdout + again.stderr)[-4000:]
    assert "inactive" not in (again.stdout + again.stderr).lower()
    assert [path.read_bytes() for path in (moved / "house" / "versions").glob("*/manifest.json")] == [before]


@pytest.mark.nightly
def test_missing_spark_submit_is_not_retried(airflow):
    done = airflow("SPARK_HOME=/nowhere airflow dags test rankfeed_codecontests 2026-01-05")
    said = done.stdout + done.stderr
    assert "check the connection's spark-binary, PATH and SPARK_HOME" in said
    assert "up_for_retry" not in said.lower()


@pytest.mark.nightly
def test_invalid_job_is_not_retried(airflow, tmp_path):
    job = tmp_path / "wrong.yaml"
    job.write_text("dataset: house\nrooot: nowhere\n")
    done = airflow("airflow dags test rankfeed_codecontests 2026-01-04", RANKFEED_JOB=str(job))
    said = done.stdout + done.stderr
    assert "did you mean 'root'" in said
    assert "rankfeed ended with exit code 2" in said
    assert "up_for_retry" not in said.lower()
