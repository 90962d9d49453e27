"""A real HDFS and a real YARN on loopback: one JVM of the test classes of spark-jobs."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from launch import PROJECT, SHORT_LIVED

from waiting import wait_until

JOBS = PROJECT / "spark-jobs" / "target"


class MiniHadoop:
    def __init__(self, folder: Path):
        self.folder = folder
        self.conf = folder / "conf"

    def __enter__(self) -> MiniHadoop:
        class_path = f"{JOBS / 'test-classes'}:{(JOBS / 'test.classpath').read_text().strip()}"
        log = (self.folder / "hadoop.log").open("w")
        command = ["java", "-Xmx1g", *SHORT_LIVED.split(), "--add-opens=java.base/java.lang=ALL-UNNAMED"]
        self.process = subprocess.Popen(
            [*command, "-cp", class_path, "io.rankfeed.spark.cluster.MiniHadoop", str(self.folder)],
            stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, cwd=self.folder,
        )  # fmt: skip
        wait_until((self.folder / "ready").exists, "Hadoop", 120, self.process, self.log)
        self.uri = (self.folder / "ready").read_text()
        return self

    def __exit__(self, *_) -> None:
        self.process.stdin.close()  # its sign to end
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def log(self) -> str:
        return (self.folder / "hadoop.log").read_text()[-3000:]

    def containers_said(self) -> str:
        logs = sorted(self.folder.rglob("container_*/std*"))
        return "\n".join(f"{f.parent.name}/{f.name}: {f.read_text()[-800:]}" for f in logs)

    def copy(self, path: str, to: Path, spark_home: Path) -> None:
        """Copies a folder of HDFS to this machine."""
        env = {**os.environ, "HADOOP_CONF_DIR": str(self.conf)}
        shell = [str(spark_home / "bin" / "spark-class"), "org.apache.hadoop.fs.FsShell", "-get", path, str(to)]
        done = subprocess.run(shell, capture_output=True, text=True, env=env, timeout=120, check=False)
        assert done.returncode == 0, done.stderr[-2000:]
