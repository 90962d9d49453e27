"""Starts the driver of the pinned Spark on this machine, with an archive of the classes that a job loads.

The command is the one of ``spark-submit``, except that the jars of rankfeed are on the class path of the JVM, which an
archive can cover, and that a module and an option are omitted that no job needs and that print warnings. The archive
takes a third of the CPU time off a start. The first start makes it, in a process of its own with low priority; later
ones use it. It is of one Java, one Spark and one build of rankfeed. ``RANKFEED_AOT=off`` neither makes nor uses one.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from rankfeed_cli import caches, java
from rankfeed_cli.failure import Failure

SECONDS = 600
RETRY_SECONDS = 3600
KEPT = 3
"""Archives of other builds and settings; each has about 180 MB."""
SUBMIT = "org.apache.spark.deploy.SparkSubmit"
SETTINGS = {"spark-defaults.conf", "log4j2.properties"}
LOCAL = re.compile(r"local(\[[^\]]*\])?")
# Where these are given, only spark-submit knows the settings, or a class of the user must be seen by those of rankfeed.
OTHERS = re.compile(
    r"--((extra-)?properties-file|load-spark-defaults|deploy-mode|remote|jars|packages)\b"
    r"|\bspark\.(jars|remote|submit)\b|userClassPathFirst"
)
# Options of the user's JVM, such as a port that two of them cannot share, and faults of tests.
OF_THE_JOB = re.compile(r"SPARK_SUBMIT_OPTS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|RANKFEED_FAULT\w*")
JOB = {
    "dataset": "archive",
    "sources": {"t": {}},
    "prepare": {"select": {"from": "t", "columns": ["id", "text", "length(text) AS n"]}},
    "sample": {"train": {"batch": 4, "lanes": 2, "strata": [{"column": "n"}], "proportional": ["n"]}},
}


@dataclass
class Driver:
    """A Spark on this machine; ``jars`` are rankfeed's and those that it adds."""

    java_home: Path
    spark: Path
    settings: Path
    jars: list[Path]

    def command(self, own: list[str], given: list[str], makes: bool = True) -> list[str] | None:
        """Returns the command that starts a job's driver, without the job's words; empty if spark-submit must start it.

        ``own`` are arguments of spark-submit that rankfeed adds, ``given`` those of the user; ``makes`` is whether an
        archive may be made.
        """
        if not self._is_fit(given):
            return None
        started = self._started([*own, *given])
        if not started or os.environ.get("RANKFEED_AOT") == "off":
            return started
        with suppress(OSError, Failure):  # the archive cannot be written
            archive = caches.private("spark") / self.archive().name
            if is_whole(archive):
                return [started[0], f"-XX:SharedArchiveFile={archive}", *self._quiet(), *started[1:]]
            if makes:
                self._begin(archive, own)
        return started

    def archive(self) -> Path:
        """Returns the path of the archive, which may not exist."""
        release = self.java_home / "release"
        meaning = f"{self.java_home}\n{release.read_text() if release.is_file() else ''}\n"
        for jar in [*sorted((self.spark / "jars").glob("spark-core_*.jar")), *self.jars]:
            facts = jar.stat()
            meaning += f"{jar} {facts.st_size} {facts.st_mtime_ns}\n"
        return caches.folder() / "spark" / f"{hashlib.sha256(meaning.encode()).hexdigest()[:16]}.jsa"

    def _is_fit(self, given: list[str]) -> bool:
        """Whether Spark runs in the driver's JVM, with settings and classes that are known here."""
        if not {file.name for file in self.settings.iterdir()} <= SETTINGS:
            return False  # such as a hive-site.xml, which is read from the class path
        file = self.settings / "spark-defaults.conf"
        text = re.sub(r"^\s*[#!].*", "", file.read_text() if file.is_file() else "", flags=re.MULTILINE)
        words = " ".join(given)
        masters = re.findall(r"(?:--master|spark\.master)[\s=:]+(\S+)", f"{words}\n{text}")
        return bool(masters) and all(map(LOCAL.fullmatch, masters)) and not OTHERS.search(f"{words}\n{text}")

    def _started(self, submit: list[str]) -> list[str] | None:
        """Asks Spark's launcher, whose answer follows a NUL and a line end, and has NULs between its words."""
        program = self.java_home / "bin" / "java"
        classes = ["-cp", f"{self.spark}/jars/*", "org.apache.spark.launcher.Main", SUBMIT]
        submit = [*submit, "--class", "io.rankfeed.spark.RankfeedJobs", "spark-internal"]
        asked = subprocess.run(
            [program, "-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", *classes, *submit],
            env={"SPARK_SCALA_VERSION": "2.13", **os.environ},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
        words = os.fsdecode(asked.stdout.partition(b"\0\n")[2]).split("\0")[:-1]
        if asked.returncode or words[1:2] != ["-cp"] or "--usage-error" in words:
            return None  # spark-submit says why
        folder, *jars = words[2].split(":")
        if folder != f"{self.settings}/" or not all(jar.startswith(f"{self.spark}/jars/") for jar in jars):
            return None  # such as HADOOP_CONF_DIR: an archive can cover no folder
        omitted = {"--add-modules=jdk.incubator.vector"}
        if java.major(self.java_home) >= java.FEEDER:
            omitted.add("--add-opens=java.base/sun.security.action=ALL-UNNAMED")  # removed in Java 25
        options = [word for word in words[3:] if word not in omitted]
        if not any(re.match(r"-Dlog4j2?\.configurationFile=", option) for option in options):
            options.insert(0, f"-Dlog4j2.configurationFile={self.settings / 'log4j2.properties'}")
        return [words[0], "-cp", ":".join([*jars, *map(str, self.jars)]), *options]

    def _quiet(self) -> list[str]:
        """Returns options for the archive without messages about an unusable one: the JVM then starts without it."""
        tags = ["cds", "cds+dynamic", "class+path"]
        return ["-Xshare:auto", *(f"-Xlog:{tag}=off" for tag in (*tags, *self._newer_tags()))]

    def _newer_tags(self) -> list[str]:
        return ["aot"] if java.major(self.java_home) >= java.FEEDER else []

    def _begin(self, archive: Path, own: list[str]) -> None:
        """Starts a process that makes the archive, unless one was started a short time ago."""
        lock = archive.with_suffix(".lock")
        if lock.is_file() and time.time() - lock.stat().st_mtime < RETRY_SECONDS:
            return
        started = self._started([*own, "--master", "local[1]", "--driver-memory", "1g"])
        if not started:
            return
        lock.touch()  # here, so that a folder that cannot be written costs no process
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from rankfeed_cli import driver; driver.main()"
        package = str(Path(__file__).resolve().parents[1])
        subprocess.Popen(
            [sys.executable, "-P", "-c", code, package, str(archive), started[0], *self._quiet(), *started[1:]],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={name: value for name, value in os.environ.items() if not OF_THE_JOB.fullmatch(name)},
            start_new_session=True,
        )


def is_whole(archive: Path) -> bool:
    """Whether the archive has the size that it was made with: a JVM crashes where one is truncated."""
    lock = archive.with_suffix(".lock")
    return archive.is_file() and lock.is_file() and lock.read_text() == str(archive.stat().st_size)


def make(archive: Path, started: list[str]) -> None:
    """Writes the archive atomically, by a small job. A second process that does the same ends at once."""
    with archive.with_suffix(".lock").open("a") as lock, tempfile.TemporaryDirectory() as folder:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        if is_whole(archive):
            return
        lock.truncate(0)
        os.utime(lock.name)
        os.nice(19)
        attempt = archive.with_suffix(".attempt")
        rows = Path(folder) / "rows.jsonl"
        rows.write_text("".join(json.dumps({"id": i, "text": "x" * (1 + i % 2)}) + "\n" for i in range(64)))
        file = Path(folder) / "job.yaml"
        file.write_text(json.dumps({**JOB, "root": f"{folder}/root", "sources": {"t": {"jsonl": str(rows)}}}))
        options = started.index(SUBMIT) + 1
        private = ["--conf", "spark.eventLog.enabled=false"]
        words = [*started[:options], *private, *started[options:], "pipeline", str(file), "--run-id", "archive"]
        try:
            done = subprocess.run(
                [words[0], f"-XX:ArchiveClassesAtExit={attempt}", *words[1:]],
                env={**os.environ, "SPARK_LOCAL_DIRS": folder},
                cwd=folder,
                timeout=SECONDS,
                check=False,
            )
            if done.returncode == 0 and attempt.is_file():
                with attempt.open("rb") as written:
                    os.fsync(written)
                attempt.rename(archive)
                lock.write(str(archive.stat().st_size))
        finally:
            attempt.unlink(missing_ok=True)
        for old in sorted(archive.parent.glob("*.jsa"), key=lambda file: file.stat().st_mtime_ns)[:-KEPT]:
            old.unlink(missing_ok=True)


def main() -> None:
    make(Path(sys.argv[1]), sys.argv[2:])
