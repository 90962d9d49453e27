"""A checkout of the project, whose jars and Python environments are made when they are missing or outdated."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from rankfeed_cli import java
from rankfeed_cli.failure import ENVIRONMENT, Failure

JOBS_JAR = "spark-jobs/target/rankfeed-spark-jobs.jar"
FEEDER_JAR = "gpu-feeder/target/rankfeed-gpu-feeder.jar"
REMOTE_JARS = "gpu-feeder/remote/target/rankfeed-remote"
IMAGES_JARS = "gpu-feeder/images/target/rankfeed-images"
SHARED = (
    "schema", "schema/image", "schema/console", "sampling", "sampling/report", "sampling/job", "shard-export",
    "shard-export/look",
)  # fmt: skip
OF_JOBS = (*SHARED, "schema/text", "spark-jobs/tables")
BUILD_MIB = 500


class Checkout:
    """A checkout of the project; see ``Installation``."""

    launcher = "./rankfeed"

    def __init__(self, root: Path):
        self.program = root / "rankfeed"
        self.root = root
        self.examples = root / "gpu-feeder" / "python" / "examples"
        self.environment = root / ".envs" / "train"
        self.quickstart = root / "build" / "quickstart"

    def version(self) -> str:
        found = re.search(r"<version>(.*?)</version>", (self.root / "pom.xml").read_text())
        return found[1] if found else "unknown"

    def jobs(self) -> tuple[Path, list[Path]]:
        jar = self._built("spark-jobs", JOBS_JAR, *OF_JOBS)
        return jar, sorted((jar.parent / "delta").glob("*.jar"))

    def feeder(self) -> Path:
        return self._built("gpu-feeder", FEEDER_JAR, *SHARED)

    def images(self) -> Path:
        return self._built("gpu-feeder/images", f"{IMAGES_JARS}/rankfeed-images.jar", *SHARED, "gpu-feeder").parent

    def remote(self) -> Path:
        return self._built("gpu-feeder/remote", f"{REMOTE_JARS}/rankfeed-remote.jar", *SHARED, "gpu-feeder").parent

    def spark_home(self) -> Path:
        self._environments("spark")
        return next((self.root / ".envs" / "spark" / "lib").glob("python*/site-packages/pyspark"))

    def train(self) -> None:
        self._environments("spark", "train")

    def feeder_java(self) -> Path | None:
        return java.find(java.FEEDER)

    def has_jobs(self) -> bool:
        return True

    def has_trainer(self) -> bool:
        return True

    def sample(self) -> Path | None:
        return None

    def _environments(self, *names: str) -> None:
        if never_builds():
            for name in names:
                if not (self.root / ".envs" / name / "bin" / "python").exists():
                    raise Failure(
                        ENVIRONMENT,
                        f".envs/{name} does not exist and RANKFEED_BUILD=never; run conf/python/env.sh {name} in"
                        f" {self.root}",
                    )
            return
        done = subprocess.run([self.root / "conf" / "python" / "env.sh", *names], check=False)
        if done.returncode:
            sys.exit(done.returncode)

    def _built(self, module: str, jar: str, *upstream: str) -> Path:
        """Returns a module's jar; builds it if it is older than the module or a module that it depends on."""
        file = self.root / jar
        if never_builds():
            if not file.is_file():
                raise Failure(
                    ENVIRONMENT, f"{jar} does not exist and RANKFEED_BUILD=never; run mvn package in {self.root}"
                )
            return file
        if self._why(file, module, *upstream):
            lock = self.root / ".envs" / "build.lock"
            lock.parent.mkdir(exist_ok=True)
            with lock.open("w") as held:
                fcntl.flock(held, fcntl.LOCK_EX)  # a second launcher waits and uses the jar of the first
                reason = self._why(file, module, *upstream)
                if reason:
                    self._build(module, reason)
                    file.touch()  # Maven leaves a jar alone whose classes came out the same
        return file

    def _why(self, jar: Path, *modules: str) -> str:
        """Returns why a jar must be built; empty if it is current."""
        if not jar.is_file():
            return f"{jar.relative_to(self.root)} does not exist"
        built = jar.stat().st_mtime_ns
        newer = next((file for file in self._sources(modules) if file.stat().st_mtime_ns > built), None)
        return f"{newer.relative_to(self.root)} is newer than {jar.relative_to(self.root)}" if newer else ""

    def _sources(self, modules: tuple[str, ...]) -> Iterator[Path]:
        yield self.root / "pom.xml"
        for module in modules:
            yield self.root / module / "pom.xml"
            for folder, _, names in os.walk(self.root / module / "src" / "main"):
                yield from (Path(folder, name) for name in names)

    def _build(self, module: str, reason: str) -> None:
        if not shutil.which("mvn"):
            raise Failure(
                ENVIRONMENT, "building needs Maven 3.8.7 or newer; install it (Debian: apt-get install maven)"
            )
        if not java.find(java.FEEDER, java.FEEDER):
            raise Failure(ENVIRONMENT, "building needs a JDK 25; install one (any vendor) and set JDK25_HOME to it")
        free_mib = shutil.disk_usage(self.root).free >> 20
        if free_mib < BUILD_MIB:
            raise Failure(
                ENVIRONMENT,
                f"building needs {BUILD_MIB} MiB under {self.root}, {free_mib} MiB are free;"
                " make room and run this again",
            )
        print(
            f"rankfeed: building {module}, because {reason} (the first time takes a minute or two)",
            file=sys.stderr,
            flush=True,
        )
        words: list[str | Path] = [
            "mvn",
            "-q",
            "-B",
            "-Dstyle.color=never",
            "-f",
            self.root / "pom.xml",
            "-pl",
            module,
            "-am",
        ]
        words += ["-Dmaven.test.skip=true", "package"]
        environment = {**os.environ, "JAVA_HOME": str(java.find(java.SPARK))}
        with subprocess.Popen(
            words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as maven:
            for line in maven.stdout or ():  # Maven resets a terminal's colors even where it may set none
                print(re.sub(r"\x1b\[[0-9;]*m", "", line), end="", file=sys.stderr, flush=True)
        if maven.returncode:
            raise Failure(1, "the build failed; see the messages of Maven above")


def never_builds() -> bool:
    """Whether jars and Python environments are used as they are."""
    return os.environ.get("RANKFEED_BUILD") == "never"
