"""The paths of the parts of rankfeed: jars, settings, examples. An installation is a checkout or a set of wheels."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol


class Installation(Protocol):
    """The parts. Each method builds or finds what it returns, or raises a ``Failure`` that says what to do."""

    launcher: str
    """How a user writes the command."""
    program: Path
    """Starts the command."""
    root: Path
    """Holds ``conf/`` and ``docs/``."""
    examples: Path
    """The client's trainers."""
    environment: Path
    """The Python environment of trainers, as far as it exists."""
    quickstart: Path
    """The folder of a quickstart that names none."""

    def version(self) -> str: ...

    def jobs(self) -> tuple[Path, list[Path]]:
        """The jar of the jobs, and Delta's."""

    def feeder(self) -> Path:
        """The jar of the feeder."""

    def images(self) -> Path:
        """A folder of jars with OpenCV."""

    def remote(self) -> Path:
        """A folder of jars with the HDFS client."""

    def spark_home(self) -> Path:
        """The pinned pyspark."""

    def train(self) -> None:
        """Makes the Python environment of the quickstart, or raises if it cannot train."""

    def has_trainer(self) -> bool:
        """Whether :meth:`train` can succeed."""

    def feeder_java(self) -> Path | None:
        """A Java home for the feeder."""

    def has_jobs(self) -> bool:
        """Whether :meth:`jobs` can succeed."""

    def sample(self) -> Path | None:
        """A small version, where one is installed."""
