"""No Python process of this project imports modules of the folder that the user is in."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hostile import Hostile

PROJECT = Path(__file__).resolve().parents[3]

TRAINER = """
import multiprocessing
from rankfeed.transform.workers import Workers
from augment import check, double

if __name__ == "__main__":
    multiprocessing.set_start_method({method!r})
    workers = Workers(2, double, check, timeout=60)
    try:
        ready = 0
        while ready < 2:
            for worker in workers.wait([])[0]:
                assert worker.answer() is None
                worker.is_started()
                ready += 1
    finally:
        workers.close()
    print("ready")
"""

AUGMENT = """
import os

def double(columns, rng):
    return columns

def check(number):
    assert "PYTHONSAFEPATH" not in os.environ
"""


@pytest.fixture
def hostile(tmp_path) -> Hostile:
    return Hostile(tmp_path / "here")


def ran(hostile: Hostile, *words: object, **variables: str) -> str:
    done = subprocess.run(
        [*map(str, words)],
        cwd=hostile.folder,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_folder_is_hostile(hostile):
    ran(hostile, sys.executable, "-c", "import tempfile")
    assert hostile.executed == {"tempfile"}


@pytest.mark.parametrize("method", ["forkserver", "spawn"])
def test_transform_workers_import_only_script_modules(hostile, tmp_path, method):
    (tmp_path / "train.py").write_text(TRAINER.format(method=method))
    (tmp_path / "augment.py").write_text(AUGMENT)
    assert ran(hostile, sys.executable, tmp_path / "train.py") == "ready\n"
    assert hostile.executed == set()


@pytest.mark.parametrize("words", [["--help"], ["completion", "bash"], ["java"]])
def test_command_imports_nothing_of_the_current_folder(hostile, words):
    assert ran(hostile, PROJECT / "rankfeed", *words)
    assert ran(hostile, sys.executable, "-P", "-m", "rankfeed_cli", *words)
    assert hostile.executed == set()


def test_environments_ignore_modules_of_the_current_folder(hostile):
    ran(hostile, PROJECT / "conf" / "python" / "env.sh", "test")
    assert hostile.executed == set()
