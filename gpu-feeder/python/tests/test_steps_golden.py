"""The libraries that image steps are compared with still give the values in the repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "images/src/test/python/steps_golden.py"


@pytest.mark.nightly
def test_the_libraries_give_the_golden_values():
    done = subprocess.run([sys.executable, SCRIPT, "--check"], check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
