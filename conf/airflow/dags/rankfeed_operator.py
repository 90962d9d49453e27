"""An operator that retries what a retry can mend, and nothing else."""

from __future__ import annotations

import re

from airflow.exceptions import AirflowException
from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
from airflow.sdk.exceptions import AirflowFailException

ENVIRONMENT = 4  # disk full, lock, network, metastore: the one exit code that is worth a retry
MEANING = {
    1: "a bug in rankfeed or a crash of Spark: the log above has the stack trace",
    2: "the job file or a flag is wrong: the log above names line, key and the nearest right one",
    3: "an input or an artefact is damaged: the log above names file and offset",
}


class RankfeedSubmitOperator(SparkSubmitOperator):
    """Submits a rankfeed job. Exit code 4 fails the try and is retried; 1, 2 and 3 fail the task at once.

    A rerun with the run id of a committed run exits 0 at once, so every retry is safe.
    """

    def execute(self, context):
        try:
            return super().execute(context)
        except AirflowException as failure:
            found = re.search(r"Error code is: (\d+)", str(failure))
            code = int(found.group(1)) if found else None
            if code in MEANING:
                raise AirflowFailException(f"rankfeed ended with exit code {code}: {MEANING[code]}") from failure
            raise
