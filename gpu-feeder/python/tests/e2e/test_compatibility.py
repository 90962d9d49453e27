"""The rows of the table in docs/reference/compatibility.md that `mvn verify` does not run on already."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from test_wheels import Fresh, released  # noqa: F401

PAGE = Path(__file__).resolve().parents[4] / "docs" / "reference" / "compatibility.md"
TESTED = [
    ("3.11", "torch==2.3.1", "numpy<2.3"),
    ("3.12", "torch==2.9.0"),
    ("3.13", "numpy==2.1.0"),
]
SAYS = "import sys; print(*sys.version_info[:2], sep='.')"


def python(version: str) -> str:
    """An interpreter of this version, on this machine or among those that pyenv has."""
    names = [f"python{version}", *map(str, Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))]
    for name in names:
        try:
            said = subprocess.run([name, "-c", SAYS], capture_output=True, text=True, check=False).stdout
        except FileNotFoundError:
            continue
        if said.strip() == version:
            return name
    pytest.skip(f"no Python {version} on this machine; the table's row is untested here")


@pytest.mark.nightly
@pytest.mark.parametrize(("version", "requirements"), [(row[0], row[1:]) for row in TESTED])
def test_the_wheel_feeds_trainers(released, tmp_path, version, requirements):  # noqa: F811
    fresh = Fresh(tmp_path, released, "rankfeed", *requirements, python=python(version))
    assert fresh.run("python", "-c", SAYS).strip() == version
    wanted = "which train on CPU" if requirements[0].startswith("torch") else "which count rows"
    assert wanted in fresh.run("rankfeed", "quickstart")


@pytest.mark.parametrize("row", TESTED)
def test_the_table_lists_what_is_tested(row):
    text = PAGE.read_text()
    version, needed = row[0], row[1].replace("==", " ")
    assert any(f"| {version} |" in line and needed in line and "nightly" in line for line in text.splitlines())
