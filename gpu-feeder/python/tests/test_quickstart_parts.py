"""The quickstart of the wheels, where a part that it uses is not installed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rankfeed_cli import main, wheels
from rankfeed_cli.failure import CONFIGURATION, ENVIRONMENT, Failure
from rankfeed_cli.main import Launcher


class Started(Exception):
    """The words of the program that the command becomes."""


class PartialWheels(wheels.Wheels):
    """Wheels with a version, a Java and, as chosen, the Spark part and torch."""

    def __init__(self, folder: Path, has_jobs: bool, has_torch: bool):
        super().__init__()
        self.root = self.environment = folder
        self.quickstart = folder / "quickstart"
        self.spark = has_jobs
        (folder / "bin").mkdir()
        if has_torch:
            (folder / "bin" / "torchrun").touch(mode=0o755)

    def has_jobs(self) -> bool:
        return self.spark

    def jobs(self) -> tuple[Path, list[Path]]:
        return self.root / "jobs.jar", []

    def feeder_java(self) -> Path:
        return self.root

    def sample(self) -> Path:
        return self.root / "sample" / "versions" / "a-version"


@pytest.fixture
def quickstart(tmp_path, monkeypatch):
    """Runs the quickstart with the chosen parts; returns the command that replaces it."""

    def become(program: Path, words: list[str]) -> None:
        raise Started(words)

    def run(*options: str, has_jobs: bool, has_torch: bool) -> list[str]:
        monkeypatch.setattr(main, "become", become)
        monkeypatch.setattr(main.aot, "options", lambda *_: [])
        monkeypatch.setattr(main.small.importlib.util, "find_spec", lambda name: object() if has_torch else None)
        for name in "RANKFEED_COMMAND RANKFEED_HOME RANKFEED_LAUNCHER RANKFEED_EXAMPLES".split():
            monkeypatch.setenv(name, "")  # restored after what the launcher sets
        for name in "RANKFEED_PYTHON_ENV RANKFEED_SPARK_ARGS OPENCV_LOG_LEVEL".split():
            monkeypatch.setenv(name, "")
        parts = PartialWheels(tmp_path, has_jobs, has_torch)
        with pytest.raises(Started) as started:
            Launcher(parts, "").run(["quickstart", *options])
        words = started.value.args[0]
        return words[words.index("io.rankfeed.feeder.RankfeedFeeder") + 1 :]

    return run


@pytest.mark.parametrize("has_jobs", [False, True])
def test_rows_are_counted_where_torch_is_missing(quickstart, has_jobs, capsys):
    words = quickstart(has_jobs=has_jobs, has_torch=False)
    assert words[0] == "feed"
    assert "count_numpy.py" in words[words.index(sys.executable) + 2]
    said = capsys.readouterr().err
    assert "which count rows (install torch to train)" in said
    assert ("pip install torch" if has_jobs else "pip install 'rankfeed[spark]'") in said


def test_options_need_torch_before_spark_starts(quickstart):
    with pytest.raises(Failure, match="pip install torch") as failure:
        quickstart("--rows", "4000", has_jobs=True, has_torch=False)
    assert failure.value.exit_code == ENVIRONMENT


def test_options_need_spark(quickstart):
    with pytest.raises(Failure, match=r"pip install 'rankfeed\[spark\]'") as failure:
        quickstart("--rows", "4000", has_jobs=False, has_torch=True)
    assert failure.value.exit_code == CONFIGURATION


def test_quickstart_with_both_parts_starts_whole(quickstart):
    words = quickstart(has_jobs=True, has_torch=True)
    assert words[:2] == ["quickstart", "--dir"]


def test_help_needs_neither(quickstart):
    assert quickstart("--help", has_jobs=True, has_torch=False) == ["quickstart", "--help"]
