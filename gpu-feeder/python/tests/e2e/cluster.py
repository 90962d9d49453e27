"""A real standalone Spark cluster on loopback: one master, two workers."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

from launch import SHORT_LIVED

from waiting import wait_until


def free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


class Cluster:
    def __init__(self, spark_home: Path, folder: Path):
        self.spark_home, self.folder = spark_home, folder
        self.port, self.web, self.rest = free_ports(3)
        self.url = f"spark://127.0.0.1:{self.port}"
        self.rest_url = f"spark://127.0.0.1:{self.rest}"
        self.processes: list[subprocess.Popen] = []

    def __enter__(self) -> Cluster:
        self._daemon(
            "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
            "--port", str(self.port), "--webui-port", str(self.web),
            options=f"-Dspark.master.rest.enabled=true -Dspark.master.rest.port={self.rest}",
        )  # fmt: skip
        for worker in range(2):
            self._daemon(
                "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1", "--memory", "2g",
                "--work-dir", str(self.folder / f"work-{worker}"), "--webui-port", "0", self.url,
            )  # fmt: skip

        def is_up() -> bool:
            assert all(p.poll() is None for p in self.processes), "a daemon ended: " + self.logs()
            return self._alive_workers() >= 2

        wait_until(is_up, "two workers", 90, log=self.logs)
        return self

    def __exit__(self, *_) -> None:
        for process in self.processes:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def _daemon(self, *words: str, options: str = "") -> None:
        env = {
            **os.environ,
            "SPARK_NO_DAEMONIZE": "1",
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{options} {SHORT_LIVED}",
        }
        log = (self.folder / f"daemon-{len(self.processes)}.log").open("w")
        command = [str(self.spark_home / "bin" / "spark-class"), *words]
        self.processes.append(
            subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        )

    def _alive_workers(self) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.web}/json/", timeout=5) as answer:
                return json.load(answer)["aliveworkers"]
        except (urllib.error.URLError, OSError, ValueError):
            return 0

    def logs(self) -> str:
        return "\n".join(f"{f.name}: {f.read_text()[-1500:]}" for f in sorted(self.folder.glob("daemon-*.log")))

    def submit(
        self,
        jar: Path,
        main: str,
        *words: object,
        conf: dict[str, str] | None = None,
        mode: str = "client",
        jars: str = "",
    ) -> subprocess.Popen:
        conf = {
            "spark.driver.host": "127.0.0.1",
            "spark.ui.enabled": "false",
            "spark.driver.extraJavaOptions": SHORT_LIVED,
            "spark.executor.extraJavaOptions": SHORT_LIVED,
            **(conf or {}),
        }
        if mode == "cluster":
            conf["spark.master.rest.enabled"] = "true"
        command = [
            str(self.spark_home / "bin" / "spark-submit"), "--deploy-mode", mode,
            "--master", self.rest_url if mode == "cluster" else self.url,
            "--driver-memory", "512m", "--executor-memory", "1g",
            *(["--jars", jars] if jars else []),
            *[word for key, value in conf.items() for word in ("--conf", f"{key}={value}")],
            "--class", main, str(jar), *map(str, words),
        ]  # fmt: skip
        env = {**os.environ, "SPARK_LOCAL_IP": "127.0.0.1"}
        return subprocess.Popen(
            command, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
        )

    def driver_state(self) -> str:
        """Returns the state of the driver that was submitted last. In cluster mode spark-submit exits with 0 at once,
        whatever the driver does."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.web}/json/", timeout=10) as answer:
            state = json.load(answer)
        driver = max(driver["id"] for key in ("activedrivers", "completeddrivers") for driver in state[key])

        def final_state() -> str | None:
            status = f"http://127.0.0.1:{self.rest}/v1/submissions/status/{driver}"
            with urllib.request.urlopen(status, timeout=10) as answer:
                state = json.load(answer).get("driverState", "UNKNOWN")
            return state if state in ("FINISHED", "FAILED", "ERROR", "KILLED") else None

        return wait_until(final_state, "the driver's end", 240)
