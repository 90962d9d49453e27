"""An operator that retries environment errors, and nothing else."""

from __future__ import annotations

import re

from airflow.exceptions import AirflowException
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk.exceptions import AirflowFailException

ENVIRONMENT = 4  # disk full, lock, network, metastore: the one exit code that is worth a retry
MEANING = {
    1: "a bug in rankfeed or a crash of Spark: the log above has the stack trace",
    2: "the job file or a flag is wrong: the log above names line, key and the nearest right one",
    3: "an input or an artifact is corrupted: the log above names file and offset",
    126: "spark-submit cannot be executed: check the connection's spark-binary, PATH and SPARK_HOME",
    127: "spark-submit or what it needs was not found: check the connection's spark-binary, PATH and SPARK_HOME",
}


class RankfeedSubmitOperator(SparkSubmitOperator):
    """Submits a rankfeed job. Exit code 4 fails the try and is retried; 1, 2, 3, 126 and 127 fail the task at once.

    A rerun with the run id of a committed run exits 0 at once, so every retry is safe.
    """

    def execute(self, context):
        try:
            return super().execute(context)
        except FileNotFoundError as failure:
            raise AirflowFailException(f"{failure}: {MEANING[127]}") from failure
        except AirflowException as failure:
            found = re.search(r"Error code is: (\d+)", str(failure))
            code = int(found.group(1)) if found else None
            if code in MEANING:
                raise AirflowFailException(f"rankfeed ended with exit code {code}: {MEANING[code]}") from failure
            raise
