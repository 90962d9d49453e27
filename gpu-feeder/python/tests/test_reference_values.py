"""The libraries that images, texts and conversations are compared with still give the values in the repository."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[3]


@pytest.mark.nightly
@pytest.mark.parametrize(
    "script",
    [
        "gpu-feeder/images/src/test/python/steps_golden.py",
        "schema/image/src/test/python/resize_golden.py",
        "gpu-feeder/src/test/python/text_golden.py",
        "schema/text/src/test/python/chat_golden.py",
        "schema/text/src/test/python/published_golden.py",
    ],
)
def test_libraries_give_the_golden_values(script):
    command = [sys.executable, PROJECT / script, "--check"]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
