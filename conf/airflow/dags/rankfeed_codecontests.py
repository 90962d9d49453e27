"""prepare → sample → export of one dataset, each with spark-submit, each safe to retry.

Settings, all by environment (or write them into a copy of this file):

RANKFEED_HOME     the project's folder, which holds the jar and conf/. Default: the one that this file is in.
RANKFEED_ROOT     where artifacts go, as hdfs://name/data; a path alone is one of this machine.
                  Default: build/airflow of the project.
RANKFEED_JOB      the job file. Default: conf/jobs/codecontests.yaml.
RANKFEED_DATASET  what that job names as its dataset. Default: codecontests. The asset of the caches is named
                  rankfeed:ROOT/DATASET, so that another root in the same Airflow database is another asset.
RANKFEED_INPUT    a folder of Parquet files that replaces sources.solutions.parquet in the job, for jobs that
                  have that source. Default: what the job says; for the default job, what ./rankfeed quickstart made.

The Spark connection is `spark_rankfeed`: master, deploy mode and spark-binary are its matter. In deploy mode cluster
spark-submit has no exit code of the job to retry by: use client.
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

from airflow.sdk import DAG, Asset
from rankfeed_operator import RankfeedSubmitOperator

HOME = Path(os.environ.get("RANKFEED_HOME") or Path(__file__).resolve().parents[3])
DEFAULT_JOB = str(HOME / "conf" / "jobs" / "codecontests.yaml")
JOB = os.environ.get("RANKFEED_JOB") or DEFAULT_JOB
DATASET = os.environ.get("RANKFEED_DATASET") or "codecontests"
ROOT = os.environ.get("RANKFEED_ROOT") or str(HOME / "build" / "airflow")
if "://" not in ROOT:
    ROOT = Path(ROOT).absolute().as_uri()
INPUT = os.environ.get("RANKFEED_INPUT")
if not INPUT and JOB == DEFAULT_JOB:
    INPUT = str(HOME / "build" / "quickstart" / "input" / "rows-40000")

# A triggered run has no logical date, and its id holds ':' and '+': this is a name that every file system takes.
RUN = "{{ run_id | replace(':', '-') | replace('+', '-') }}"

CACHES = Asset(name=f"rankfeed:{ROOT}/{DATASET}", uri=f"{ROOT}/{DATASET}/versions")


def job(command: str, **more) -> RankfeedSubmitOperator:
    settings = {"root": ROOT}
    if INPUT:
        settings["sources.solutions.parquet"] = INPUT
    return RankfeedSubmitOperator(
        task_id=command,
        conn_id="spark_rankfeed",
        name=f"rankfeed-{command}-{RUN}",
        application=str(HOME / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"),
        java_class=f"io.rankfeed.spark.{command.capitalize()}Job",
        properties_file=str(HOME / "conf" / "spark" / "spark-defaults.conf"),
        application_args=[
            JOB,
            *(word for key, value in settings.items() for word in ("--set", f"{key}={value}")),
            "--run-id", f"{RUN}-{command}",
            "--progress", "plain",
        ],
        **more,
    )  # fmt: skip


with DAG(
    dag_id="rankfeed_codecontests",
    description="A table to per-rank training caches",
    schedule=None,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    tags=["rankfeed"],
) as dag:
    job("prepare") >> job("sample") >> job("export", outlets=[CACHES])
