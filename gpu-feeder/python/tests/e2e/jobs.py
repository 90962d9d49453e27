"""Jobs of which a test needs the result and not the start: one JVM for each worker runs them in turn."""

from __future__ import annotations

import functools
import os
import subprocess
import threading
import urllib.parse
from contextlib import suppress

from launch import PROJECT, spark_home

from rankfeed_cli import java

HANG_SECONDS = 600


def job(*words: object) -> None:
    """Runs a command of the jobs; a failure shows what it said."""
    server().run([str(word) for word in words])


class JobServer:
    """The JVM. Starting Spark takes most of the time of a small job."""

    def __init__(self) -> None:
        jobs, spark = PROJECT / "spark-jobs" / "target", spark_home()
        variables = {
            "SPARK_HOME": str(spark),
            "JAVA_HOME": str(java.find(java.SPARK)),
            # After Spark's own jars, so that the archive of their classes fits.
            "SPARK_DIST_CLASSPATH": f"{jobs / 'rankfeed-spark-jobs.jar'}:{jobs / 'test-classes'}",
        }
        settings = ["--properties-file", str(PROJECT / "conf/spark/spark-defaults.conf")]
        self.process = subprocess.Popen(
            [spark / "bin/spark-submit", *settings, "--class", "io.rankfeed.spark.cluster.JobServer", "spark-internal"],
            env=os.environ | variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self, words: list[str]) -> None:
        guard = threading.Timer(HANG_SECONDS, self.process.kill)
        guard.start()
        said = []
        try:
            with suppress(BrokenPipeError):  # it ended, and its last words say why
                self.process.stdin.write(" ".join(urllib.parse.quote(word, safe="") for word in words) + "\n")
                self.process.stdin.flush()
            for line in self.process.stdout:
                said.append(line)
                if line.startswith("exit "):
                    break
        finally:
            guard.cancel()
        assert said[-1:] == ["exit 0\n"], f"rankfeed {words[0]} failed:\n{''.join(said)[-6000:]}"

    def close(self) -> None:
        self.process.stdin.close()  # its sign to end
        self.process.stdout.close()
        self.process.wait(60)


@functools.cache
def server() -> JobServer:
    return JobServer()


def close() -> None:
    if server.cache_info().currsize:
        server().close()
