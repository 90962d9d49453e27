"""prepare → sample → export of the CodeContests job, each with spark-submit, each safe to retry.

Settings, all by environment (or template them in your own copy):
RANKFEED_HOME  the project's folder (jar, conf/)            RANKFEED_ROOT   where artefacts go (any Hadoop path)
RANKFEED_INPUT the table's folder                           RANKFEED_JOB    the job file, default conf/jobs/codecontests.yaml
The Spark connection is `spark_rankfeed` (master, deploy mode and spark-binary are the connection's matter).
"""

from __future__ import annotations

import os
from datetime import datetime, timedelta
from pathlib import Path

from airflow.sdk import DAG, Asset
from rankfeed_operator import RankfeedSubmitOperator

HOME = Path(os.environ.get("RANKFEED_HOME") or Path(__file__).resolve().parents[3])
ROOT = os.environ.get("RANKFEED_ROOT", str(HOME / "build" / "airflow"))
INPUT = os.environ.get("RANKFEED_INPUT", str(HOME / "build" / "quickstart" / "input"))
JOB = os.environ.get("RANKFEED_JOB", str(HOME / "conf" / "jobs" / "codecontests.yaml"))

# A triggered run has no logical date, and its id holds ':' and '+': this is a name that every file system takes.
RUN = "{{ run_id | replace(':', '-') | replace('+', '-') }}"

CACHES = Asset(name="rankfeed_codecontests_caches", uri=f"file://{ROOT}/codecontests/versions")


def job(command: str, **more) -> RankfeedSubmitOperator:
    return RankfeedSubmitOperator(
        task_id=command,
        conn_id="spark_rankfeed",
        name=f"rankfeed-{command}-{RUN}",
        application=str(HOME / "spark-jobs" / "target" / "rankfeed-spark-jobs.jar"),
        java_class=f"io.rankfeed.spark.{command.capitalize()}Job",
        properties_file=str(HOME / "conf" / "spark" / "spark-defaults.conf"),
        application_args=[
            JOB,
            "--set", f"root={ROOT}",
            "--set", f"sources.solutions.parquet={INPUT}",
            "--run-id", f"{RUN}-{command}",
            "--progress", "plain",
        ],
        **more,
    )  # fmt: skip


with DAG(
    dag_id="rankfeed_codecontests",
    description="CodeContests table to per-rank training caches",
    schedule=None,
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=1)},
    tags=["rankfeed"],
) as dag:
    job("prepare") >> job("sample") >> job("export", outlets=[CACHES])
